import type { BootEvidence } from './boot-appraisal.js'

/** A TPM that attests the boot of this machine, by one key of its own. */
export type BootAttester = {
  /** Lower-case hex, SHA-256 of the key's name. */
  readonly keyDigest: string
  /** What stays the same while the machine is up. */
  readonly record: Pick<BootEvidence, 'akPublic' | 'akCertificates' | 'eventLog'>
  /**
   * A quote of the registers, and with it what whoever asks has it say.
   * @param qualifyingData up to 32 bytes
   * @throws AttestationError of class collection
   */
  readonly quote: (qualifyingData: Uint8Array) => Promise<Pick<BootEvidence, 'quote' | 'signature'>>
  readonly close: () => Promise<void>
}
