import type { TableEntry } from './certificate-table/parse-certificate-table.js'
import type { DerivedKeyRequest } from './derived-key.js'
import type { Evidence } from './evidence.js'

/** A fresh report with what came beside it: leaf, intermediate and root in DER, and the root's CRL if there is one. */
export type CollectedReport = Evidence & {
  /** All that the host handed over, its firmware endorsement and what nobody here knows included; perhaps nothing. */
  readonly table: readonly TableEntry[]
}

/** Asks the secure processor for reports. */
export type Collector = {
  /** The platform's name, as a keyset bears it. */
  readonly platform: 'sev-snp'
  /**
   * A report over 64 bytes of the caller's choice. Slow, and rate-limited by the platform.
   * @throws AttestationError of class collection, collateral_missing, or argument_invalid
   */
  readonly collect: (reportData: Uint8Array) => Promise<CollectedReport>
  /**
   * A key of 32 bytes that the processor derives for this guest; not there where the interface has no such request
   * (configfs-tsm).
   * @throws AttestationError argument_invalid; codes of class collection
   */
  readonly deriveKey?: (request: DerivedKeyRequest) => Promise<Uint8Array>
}
