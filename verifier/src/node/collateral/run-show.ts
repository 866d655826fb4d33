import { parseCrl, parseReport, readCertificates, type TableRow, tableEntryName } from '@parley/attestation'
import { parseInstant } from '../../parse-instant.js'
import { asciiJson } from '../../printable.js'
import { hexOf } from '../measure-options.js'
import type { Io } from '../run.js'
import { type CertificateView, certificateView, type CrlView, crlView } from './certificate-view.js'
import { readSource, type Source } from './read-source.js'

/** The options of `collateral show`. */
export type ShowOptions = { readonly certs?: string; readonly now?: string; readonly json?: true }

type View = {
  /** What the report asks for, where there is one. */
  readonly report: {
    readonly signed_by: string | null
    readonly chip_id: string
    readonly reported_tcb: string
  } | null
  readonly certificates: readonly CertificateView[]
  readonly crls: readonly CrlView[]
  readonly others: readonly { readonly guid: string; readonly name: string | null; readonly bytes: number }[]
}

const reportView = (bytes: Uint8Array | null): View['report'] => {
  if (bytes === null) return null
  const { signer_info, chip_id, reported_tcb } = parseReport(bytes)
  return { signed_by: signer_info.signing_key, chip_id: hexOf(chip_id), reported_tcb: hexOf(reported_tcb) }
}

const otherView = ({ guid, data }: TableRow): View['others'][number] => ({
  guid,
  name: tableEntryName(guid),
  bytes: data.length,
})

const viewOf = ({ report, certificates, crls, others }: Source, nowMs: number): View => ({
  report: reportView(report),
  certificates: certificates.flatMap(({ name, bytes }) =>
    readCertificates([bytes]).map((one) => certificateView(name, one, nowMs)),
  ),
  crls: crls.map(({ name, bytes }) => crlView(name, parseCrl(bytes), nowMs)),
  others: others.map(otherView),
})

const line = (name: string, value: string): string => `  ${name.padEnd(11)} ${value}`

const leafLines = ({ leaf }: CertificateView): string[] =>
  leaf === null
    ? []
    : [
        line('product', leaf.product_name),
        ...(leaf.hardware_id === null ? [] : [line('chip', leaf.hardware_id)]),
        ...(leaf.provider === null ? [] : [line('provider', leaf.provider)]),
        line(
          'tcb',
          Object.entries(leaf.tcb)
            .map(([part, version]) => `${part} ${version}`)
            .join(', '),
        ),
      ]

const certificateLines = (one: CertificateView): string[] => [
  `certificate in ${one.found}`,
  line('subject', one.subject),
  line('issuer', one.issuer),
  line('serial', one.serial),
  line('valid', `${one.not_before} to ${one.not_after}${one.valid_now ? '' : ', NOT NOW'}`),
  line('sha256', one.sha256),
  line('key sha256', one.key_sha256),
  line('pin', one.pin ?? 'none'),
  ...leafLines(one),
]

const crlLines = (one: CrlView): string[] => [
  `crl in ${one.found}`,
  line('issuer', one.issuer),
  line('number', one.number),
  line('current', `${one.this_update} until ${one.next_update}${one.current_now ? '' : ', NOT NOW'}`),
  line('sha256', one.sha256),
  line('revoked', one.revoked.length === 0 ? 'nothing' : one.revoked.join(', ')),
]

const reportLines = (report: View['report']): string[] =>
  report === null
    ? []
    : [
        'report',
        line('signed by', report.signed_by ?? 'nobody'),
        line('chip', report.chip_id),
        line('tcb', report.reported_tcb),
      ]

const asText = ({ report, certificates, crls, others }: View): string =>
  [
    'NOT VERIFIED: this is what the files say of themselves',
    ...reportLines(report),
    ...certificates.flatMap(certificateLines),
    ...crls.flatMap(crlLines),
    ...others.map(({ guid, name, bytes }) => `entry ${guid} (${name ?? 'unknown'}), ${bytes} bytes`),
  ]
    .map((text) => `${text}\n`)
    .join('')

/** `parley-verify collateral show`: what lies at a path, certificate by certificate. */
export const runShow = async (path: string, options: ShowOptions, io: Io): Promise<number> => {
  const nowMs = options.now === undefined ? io.now : parseInstant(options.now)
  const view = viewOf(await readSource(path, options.certs), nowMs)
  io.out(options.json === true ? asciiJson(view) : asText(view))
  return 0
}
