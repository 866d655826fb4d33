/** A fresh report with the certificates that came with it. */
export type CollectedReport = {
  /** ATTESTATION_REPORT, 1184 bytes. */
  readonly report: Uint8Array
  /** DER, one certificate each: leaf, intermediate, root. */
  readonly certificates: readonly Uint8Array[]
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
}
