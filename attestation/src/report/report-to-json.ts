import { toHex } from '../hex.js'
import type { ProductLine } from '../product.js'
import type { Report } from './report.js'
import { type TcbParts, tcbParts } from './tcb.js'

type Hex = string

/** A TCB for a reader: its bytes, and its parts where the product line is known. */
export type TcbView = { readonly raw: Hex; readonly parts: TcbParts | null }

type TcbField = 'current_tcb' | 'reported_tcb' | 'committed_tcb' | 'launch_tcb'

type Rendered<T> = T extends Uint8Array | bigint
  ? Hex
  : T extends object
    ? { readonly [K in keyof T]: Rendered<T[K]> }
    : T

/** The members of a report as JSON: byte strings and 64-bit fields in hex, the rest as they are. */
export type ReportView = {
  readonly [F in Exclude<keyof Report, 'signed_bytes' | 'signature'>]: F extends TcbField
    ? TcbView
    : Rendered<Report[F]>
}

const word = (value: bigint): Hex => `0x${value.toString(16)}`

const tcbView = (tcb: Uint8Array, product: ProductLine | null): TcbView => ({
  raw: toHex(tcb),
  parts: product === null ? null : tcbParts(tcb, product),
})

/**
 * A report for a reader or a JSON document.
 * @param product what the TCBs are read by; null leaves them as bytes
 */
export const reportToJson = (report: Report, product: ProductLine | null): ReportView => ({
  version: report.version,
  guest_svn: report.guest_svn,
  policy: { ...report.policy, raw: word(report.policy.raw) },
  family_id: toHex(report.family_id),
  image_id: toHex(report.image_id),
  vmpl: report.vmpl,
  signature_algo: report.signature_algo,
  current_tcb: tcbView(report.current_tcb, product),
  platform_info: {
    ...report.platform_info,
    raw: word(report.platform_info.raw),
    unknown_bits: word(report.platform_info.unknown_bits),
  },
  signer_info: report.signer_info,
  report_data: toHex(report.report_data),
  measurement: toHex(report.measurement),
  host_data: toHex(report.host_data),
  id_key_digest: toHex(report.id_key_digest),
  author_key_digest: toHex(report.author_key_digest),
  report_id: toHex(report.report_id),
  report_id_ma: toHex(report.report_id_ma),
  reported_tcb: tcbView(report.reported_tcb, product),
  cpuid: report.cpuid,
  chip_id: toHex(report.chip_id),
  committed_tcb: tcbView(report.committed_tcb, product),
  current_version: report.current_version,
  committed_version: report.committed_version,
  launch_tcb: tcbView(report.launch_tcb, product),
  launch_mit_vector: report.launch_mit_vector === null ? null : word(report.launch_mit_vector),
  current_mit_vector: report.current_mit_vector === null ? null : word(report.current_mit_vector),
})
