import { AttestationError } from '../../errors.js'
import { codeOfErrno } from '../kernel-failure.js'
import type { Answer } from './sev-guest-device.js'

/** EXITINFO2 taken apart: who refused a request, and how (GHCB, SNP Guest Request). Zero is nobody. */
export type ExitInfo = { readonly firmware: number; readonly vmm: number }

/** Errors of the hypervisor (Linux, SNP_GUEST_VMM_ERR). */
export const VMM_ERROR = { INVALID_LEN: 1, BUSY: 2 } as const

// What drivers put there before they ask anybody, by their age.
const NOBODY_ASKED: readonly bigint[] = [0xffn, 0xffffffffn, 0xffffffffffffffffn]

/** Takes EXITINFO2 apart. */
export const parseExitInfo = (exitInfo2: bigint): ExitInfo =>
  NOBODY_ASKED.includes(exitInfo2)
    ? { firmware: 0, vmm: 0 }
    : { firmware: Number(exitInfo2 & 0xffffffffn), vmm: Number(exitInfo2 >> 32n) }

const ofHost = (vmm: number): AttestationError =>
  vmm === VMM_ERROR.BUSY
    ? new AttestationError('collector_busy', 'the hypervisor is throttling this guest')
    : new AttestationError('host_refused', `the hypervisor answered with error ${vmm}`)

/**
 * What a failed request means. The driver wipes its key after every failure but that of a buffer too small, so what
 * comes next is collector_disabled.
 */
export const failureOf = (errno: string, exitInfo2: bigint): AttestationError => {
  const { firmware, vmm } = parseExitInfo(exitInfo2)
  const code = codeOfErrno(errno)
  // These say what became of the driver, whatever the last answer was before it gave up.
  if (code === 'collector_timeout' || errno === 'ENOTTY') {
    return new AttestationError(code, `the request ended in ${errno}`)
  }
  if (vmm !== 0) return ofHost(vmm)
  if (firmware !== 0) {
    return new AttestationError(
      'firmware_refused',
      `the firmware answered with error 0x${firmware.toString(16)}`,
    )
  }
  return new AttestationError(code, `the request ended in ${errno}`)
}

/**
 * The answer, if the request succeeded.
 * @throws AttestationError of class collection
 */
export const succeeded = (answer: Answer): Answer => {
  const { errno, exitInfo2 } = answer
  const { firmware, vmm } = parseExitInfo(exitInfo2)
  if (errno !== null) throw failureOf(errno, exitInfo2)
  // Success with an error in EXITINFO2 is none.
  if (firmware !== 0 || vmm !== 0) throw failureOf('EIO', exitInfo2)
  return answer
}
