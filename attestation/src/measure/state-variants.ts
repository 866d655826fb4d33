import type { Launch } from './launch.js'
import { combine, type Variant, vary } from './launch-difference.js'
import { VCPU_TYPES } from './vcpu-types.js'
import type { VcpuState } from './vmsa.js'
import { VMMS, type Vmm } from './vmm.js'

const hex = (value: number | bigint): string => `0x${value.toString(16)}`

/** The given VMM and each other. */
export const vmmVariants = ({ vmm }: Launch): readonly Variant<Vmm>[] =>
  vary('vmm', vmm, VMMS, (name) => name)

const SIGNATURES: readonly (number | null)[] = [...new Set(VCPU_TYPES.values())]

const describeSignature = (signature: number | null): string => {
  if (signature === null) return 'none'
  const names = [...VCPU_TYPES].filter(([name, known]) => known === signature && !/-v\d$/.test(name))
  return names.length === 0 ? hex(signature) : `${hex(signature)} (${names.map(([name]) => name).join(', ')})`
}

// Without debug swap and with it: which of the two a guest gets is up to the host's kernel and its QEMU.
const GUEST_FEATURES = [0x1n, 0x21n]

const describeKernel = (fpuReset: boolean): string =>
  fpuReset ? 'Linux 6.8 or later (MXCSR 0x1f80, FCW 0x37f)' : 'Linux before 6.8 (MXCSR and FCW zero)'

/** Each state in which a VMM could start a processor. What that VMM leaves out of the state is not varied. */
export const stateVariants = (launch: Launch, vmm: Vmm): readonly Variant<Omit<VcpuState, 'eip'>>[] => {
  const qemu = vmm === 'qemu'
  const features = vary('guest_features', launch.guestFeatures, GUEST_FEATURES, hex)
  const signatures = vary(
    'vcpu_signature',
    launch.signature,
    qemu ? SIGNATURES : [],
    describeSignature,
  ).filter(
    // QEMU always shows one: that none was given is then itself the difference.
    ({ value }) => !qemu || value !== null,
  )
  const kernels = vary('host_kernel', true, qemu ? [false] : [], describeKernel)
  const processors = combine(signatures, kernels, (signature, fpuReset) => ({ signature, fpuReset }))
  return combine(features, processors, (guestFeatures, processor) => ({ vmm, guestFeatures, ...processor }))
}
