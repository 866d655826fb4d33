import { AttestationError } from '../errors.js'
import type { PageType } from './page-info.js'

/** A virtual machine monitor, by how it launches a guest. */
export type Vmm = 'qemu' | 'ec2' | 'gce'

type PageRules = {
  /** As what SEC_MEM is launched. */
  readonly secMem: PageType
  /** Whether CPUID pages come after all other sections. */
  readonly cpuidLast: boolean
}

/** What each does with the pages that firmware asks for. */
const PAGE_RULES: Readonly<Record<Vmm, PageRules>> = {
  qemu: { secMem: 'ZERO', cpuidLast: false },
  ec2: { secMem: 'ZERO', cpuidLast: true },
  gce: { secMem: 'UNMEASURED', cpuidLast: false },
}

/** All of them. */
export const VMMS: readonly Vmm[] = ['qemu', 'ec2', 'gce']

/** What a VMM does with the pages that firmware asks for. */
export const pageRules = (vmm: Vmm): PageRules => PAGE_RULES[vmm]

/**
 * The VMM of a name in any case.
 * @throws AttestationError measurement_input_malformed
 */
export const parseVmm = (name: string): Vmm => {
  const vmm = VMMS.find((known) => known === name.toLowerCase())
  if (vmm === undefined)
    throw new AttestationError('measurement_input_malformed', `vmm is none of ${VMMS.join(', ')}`)
  return vmm
}
