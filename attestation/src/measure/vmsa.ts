import { PAGE_BYTES } from './page-info.js'
import type { Vmm } from './vmm.js'

/** What the state of a processor at launch depends on. */
export type VcpuState = {
  readonly vmm: Vmm
  /** Where it starts. */
  readonly eip: number
  /** CPUID Fn0000_0001_EAX as the guest sees it. Only QEMU lets it into the state. */
  readonly signature: number | null
  /** SEV_FEATURES: bit 0 SNP, bit 5 debug swap. */
  readonly guestFeatures: bigint
  /** Whether the host's kernel sets MXCSR and FCW to their reset values. Linux does for QEMU since 6.8-rc5. */
  readonly fpuReset: boolean
}

/** Where the first processor starts. */
export const RESET_VECTOR = 0xfffffff0

type Field = { readonly name: string; readonly at: number; readonly value: bigint }
type Segment = { readonly name: string; readonly at: number; readonly attrib: number }

const CS = 0x010
const CS_SELECTOR = 0xf000
const LIMIT = 0xffff

/** Segments: selector u16, attrib u16, limit u32, base u64 (AMD 24593, APM volume 2, table B-4). */
const segmentsOf = ({ vmm, eip }: VcpuState): readonly Segment[] => {
  const ec2 = vmm === 'ec2'
  return [
    { name: 'ES', at: 0x000, attrib: 0x93 },
    { name: 'CS', at: CS, attrib: ec2 && eip === RESET_VECTOR ? 0x9a : 0x9b },
    { name: 'SS', at: 0x020, attrib: ec2 ? 0x92 : 0x93 },
    { name: 'DS', at: 0x030, attrib: 0x93 },
    { name: 'FS', at: 0x040, attrib: 0x93 },
    { name: 'GS', at: 0x050, attrib: 0x93 },
    { name: 'GDTR', at: 0x060, attrib: 0 },
    { name: 'LDTR', at: 0x070, attrib: 0x82 },
    { name: 'IDTR', at: 0x080, attrib: 0 },
    { name: 'TR', at: 0x090, attrib: ec2 ? 0x83 : 0x8b },
  ]
}

/** Registers of 8 bytes that are not zero at launch (same table). */
const registersOf = ({ vmm, eip, signature, guestFeatures }: VcpuState): readonly Field[] => [
  { name: 'EFER', at: 0x0d0, value: 0x1000n },
  { name: 'CR4', at: 0x148, value: 0x40n },
  { name: 'CR0', at: 0x158, value: 0x10n },
  { name: 'DR7', at: 0x160, value: 0x400n },
  { name: 'DR6', at: 0x168, value: 0xffff0ff0n },
  { name: 'RFLAGS', at: 0x170, value: 0x2n },
  { name: 'RIP', at: 0x178, value: BigInt(eip & 0xffff) },
  // Linux leaves the PAT as it is after reset; Google's VMM writes another.
  { name: 'G_PAT', at: 0x268, value: vmm === 'gce' ? 0x00070106n : 0x0007040600070406n },
  // RDX holds the signature after reset. EC2 and Google put one value there for all.
  { name: 'RDX', at: 0x310, value: vmm === 'qemu' ? BigInt(signature ?? 0) : 0x600n },
  { name: 'SEV_FEATURES', at: 0x3b0, value: guestFeatures },
  { name: 'XCR0', at: 0x3e8, value: 0x1n },
]

const MXCSR = { at: 0x408, reset: 0x1f80 }
const X87_FCW = { at: 0x410, reset: 0x37f }

/**
 * The VMSA page of a processor as it is measured at launch.
 * @see AMD 24593, APM volume 2, table B-4 (layout) and §14.1.3 (state after reset)
 */
export const encodeVmsa = (state: VcpuState): Uint8Array => {
  const page = new Uint8Array(PAGE_BYTES)
  const view = new DataView(page.buffer)
  for (const { at, attrib } of segmentsOf(state)) {
    view.setUint16(at + 2, attrib, true)
    view.setUint32(at + 4, LIMIT, true)
  }
  view.setUint16(CS, CS_SELECTOR, true)
  view.setBigUint64(CS + 8, BigInt(state.eip) & 0xffff0000n, true)
  for (const { at, value } of registersOf(state)) view.setBigUint64(at, value, true)
  if (state.vmm === 'qemu' && state.fpuReset) {
    view.setUint16(MXCSR.at, MXCSR.reset, true)
    view.setUint16(X87_FCW.at, X87_FCW.reset, true)
  }
  return page
}
