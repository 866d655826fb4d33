import { expect, test } from 'vitest'
import { encodeVmsa, RESET_VECTOR, type VcpuState } from '../../src/measure/vmsa.js'

const STATE: VcpuState = {
  vmm: 'qemu',
  eip: RESET_VECTOR,
  signature: 0xa00f11,
  guestFeatures: 0x21n,
  fpuReset: true,
}

const viewOf = (changes: Partial<VcpuState>): DataView =>
  new DataView(encodeVmsa({ ...STATE, ...changes }).buffer)

// Offsets of AMD 24593, table B-4.
const CS_ATTRIB = 0x012
const CS_BASE = 0x018
const SS_ATTRIB = 0x022
const TR_ATTRIB = 0x092
const RIP = 0x178
const G_PAT = 0x268
const RDX = 0x310
const SEV_FEATURES = 0x3b0
const MXCSR = 0x408
const X87_FCW = 0x410

test('a VMSA is one page', () => {
  expect(encodeVmsa(STATE)).toHaveLength(4096)
})

test('the first processor starts at the reset vector, by code segment and instruction pointer', () => {
  expect(viewOf({}).getBigUint64(CS_BASE, true)).toBe(0xffff0000n)
  expect(viewOf({}).getBigUint64(RIP, true)).toBe(0xfff0n)
})

test('another processor starts where the firmware says', () => {
  expect(viewOf({ eip: 0x80b004 }).getBigUint64(CS_BASE, true)).toBe(0x800000n)
  expect(viewOf({ eip: 0x80b004 }).getBigUint64(RIP, true)).toBe(0xb004n)
})

test('only QEMU shows the signature; the others show one value for all', () => {
  expect(viewOf({}).getBigUint64(RDX, true)).toBe(0xa00f11n)
  for (const vmm of ['ec2', 'gce'] as const) expect(viewOf({ vmm }).getBigUint64(RDX, true)).toBe(0x600n)
})

test('the guest features stand in SEV_FEATURES', () => {
  expect(viewOf({}).getBigUint64(SEV_FEATURES, true)).toBe(0x21n)
})

test('MXCSR and FCW are set by QEMU on Linux 6.8 and later, and by nobody else', () => {
  const fpuOf = (changes: Partial<VcpuState>): readonly number[] => {
    const view = viewOf(changes)
    return [view.getUint32(MXCSR, true), view.getUint16(X87_FCW, true)]
  }
  expect(fpuOf({})).toEqual([0x1f80, 0x37f])
  expect(fpuOf({ fpuReset: false })).toEqual([0, 0])
  expect(fpuOf({ vmm: 'ec2' })).toEqual([0, 0])
  expect(fpuOf({ vmm: 'gce' })).toEqual([0, 0])
})

test('EC2 has segment attributes of its own, and those of the first processor differ', () => {
  const attributesOf = (changes: Partial<VcpuState>): readonly number[] => {
    const view = viewOf({ vmm: 'ec2', ...changes })
    return [CS_ATTRIB, SS_ATTRIB, TR_ATTRIB].map((at) => view.getUint16(at, true))
  }
  expect(attributesOf({})).toEqual([0x9a, 0x92, 0x83])
  expect(attributesOf({ eip: 0x80b004 })).toEqual([0x9b, 0x92, 0x83])
  expect(attributesOf({ vmm: 'qemu' })).toEqual([0x9b, 0x93, 0x8b])
})

test("Google's VMM writes a PAT of its own", () => {
  expect(viewOf({ vmm: 'gce' }).getBigUint64(G_PAT, true)).toBe(0x00070106n)
  expect(viewOf({}).getBigUint64(G_PAT, true)).toBe(0x0007040600070406n)
})
