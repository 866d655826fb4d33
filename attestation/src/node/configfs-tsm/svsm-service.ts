import { createHash } from 'node:crypto'
import type { ReportRequest } from './report-request.js'

/**
 * Services of an SVSM to attest beside the guest: all of them, or one by its identifier. An SVSM runs above the guest
 * and asks for the report itself.
 */
export type SvsmService = {
  /** GUID of one service, as text; null for all. */
  readonly guid: string | null
  /** Version of that service's manifest; null for the newest. */
  readonly manifestVersion: number | null
}

/** Asks for the report of an SVSM; how many writes that took. */
export const writeService = async (request: ReportRequest, service: SvsmService): Promise<number> => {
  const { guid, manifestVersion } = service
  const writes = [
    ['service_provider', 'svsm'],
    ...(guid === null ? [] : [['service_guid', guid]]),
    ...(manifestVersion === null ? [] : [['service_manifest_version', String(manifestVersion)]]),
  ] as const
  for (const [attribute = '', value = ''] of writes) await request.write(attribute, value)
  return writes.length
}

/** REPORT_DATA of a report that an SVSM asked for: SHA-512(nonce ‖ manifest) (AMD 58019, Attestation Protocol). */
export const svsmReportData = (nonce: Uint8Array, manifest: Uint8Array): Uint8Array =>
  new Uint8Array(createHash('sha512').update(nonce).update(manifest).digest())
