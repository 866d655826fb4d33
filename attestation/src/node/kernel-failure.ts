import { AttestationError, type AttestationErrorCode } from '../errors.js'

type Meanings = Readonly<Partial<Record<string, AttestationErrorCode>>>

// Linux, drivers/virt/coco: what the report interface means by each error.
const MEANINGS: Meanings = {
  ENOENT: 'provider_missing',
  ENODEV: 'provider_missing',
  ENOTDIR: 'provider_missing',
  ENXIO: 'provider_missing',
  EACCES: 'collector_forbidden',
  EPERM: 'collector_forbidden',
  EBUSY: 'collector_busy',
  EAGAIN: 'collector_busy',
  ETIMEDOUT: 'collector_timeout',
  // The driver wipes its key after a request whose fate it does not know, and then answers with these until reboot.
  EIO: 'collector_disabled',
  ENOTTY: 'collector_disabled',
}

/** What an error of the report interface means, by its name. */
export const codeOfErrno = (errno: string): AttestationErrorCode => MEANINGS[errno] ?? 'collector_failed'

/** The error code of a system call, or null where the error is of another kind. */
export const systemCode = (error: unknown): string | null =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null

/**
 * Does one step of a collection, and says what its failure means.
 * @param step what is done, for the message
 * @param special what some errors mean here and nowhere else
 * @throws AttestationError of class collection
 */
export const inKernel = async <T>(
  step: string,
  act: () => Promise<T>,
  special: Meanings = {},
): Promise<T> => {
  try {
    return await act()
  } catch (error) {
    const code = systemCode(error)
    if (code === null) throw error
    throw new AttestationError(special[code] ?? codeOfErrno(code), `${step}: ${code}`)
  }
}
