import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  AttestationError,
  encodeCertificateTable,
  parseReport,
  TABLE_GUID,
  type TableRow,
} from '@parley/attestation'
import { attempt } from '../read-file.js'
import type { Io } from '../run.js'
import { gather, type Gathered, type GatherOptions, statusText } from './gather.js'
import { otherName } from './read-source.js'

/** The options of `collateral pack`. */
export type PackOptions = Omit<GatherOptions, 'kds' | 'offline'> & {
  readonly out: string
  readonly as: string
  readonly crl: boolean
}

type Parts = {
  readonly leaf: TableRow
  readonly intermediate: TableRow
  readonly root: TableRow
  readonly crl: TableRow | null
}

// A host that hands over a VLEK puts its intermediate under the GUID of the ASK, too.
const partsOf = ({ report, collateral }: Gathered): Parts | null => {
  const [leaf, intermediate, root] = collateral.certificates
  if (leaf === undefined || intermediate === undefined || root === undefined) return null
  const { signing_key } = parseReport(report).signer_info
  return {
    leaf: { guid: TABLE_GUID[signing_key ?? 'vcek'], data: leaf },
    intermediate: { guid: TABLE_GUID.ask, data: intermediate },
    root: { guid: TABLE_GUID.ark, data: root },
    crl: collateral.crl === null ? null : { guid: TABLE_GUID.crl, data: collateral.crl },
  }
}

type File = readonly [name: string, bytes: Uint8Array]

const folderOf = ({ report, source }: Gathered, { leaf, intermediate, root, crl }: Parts): File[] => [
  ['report.bin', report],
  [leaf.guid === TABLE_GUID.vlek ? 'vlek.der' : 'vcek.der', leaf.data],
  ['ask.der', intermediate.data],
  ['ark.der', root.data],
  ...(crl === null ? [] : [['ark.crl', crl.data] as const]),
  ...source.others.map((row) => [otherName(row), row.data] as const),
]

const quoteOf = ({ report, source }: Gathered, { leaf, intermediate, root, crl }: Parts): Uint8Array =>
  Buffer.concat([
    report,
    encodeCertificateTable([leaf, intermediate, root, ...(crl === null ? [] : [crl]), ...source.others]),
  ])

// Nothing that is there is written over.
const write = (path: string, bytes: Uint8Array): Promise<void> =>
  attempt(path, writeFile(path, bytes, { flag: 'wx' }))

const writePacked = async ({ as, out }: PackOptions, gathered: Gathered, parts: Parts): Promise<void> => {
  if (as === 'quote') {
    await write(out, quoteOf(gathered, parts))
    return
  }
  await attempt(out, mkdir(out, { recursive: true }))
  for (const [name, bytes] of folderOf(gathered, parts)) await write(join(out, name), bytes)
}

/**
 * `parley-verify collateral pack`: a report with all that it needs, in a folder or as a raw quote. It asks nobody, and
 * packs nothing that a verifier would miss something in.
 */
export const runPack = async (path: string, options: PackOptions, io: Io): Promise<number> => {
  if (options.as !== 'quote' && options.as !== 'folder')
    throw new AttestationError('argument_invalid', '--as is neither folder nor quote')
  const gathered = await gather(path, options, false, io)
  const { items } = gathered.collateral
  const parts = partsOf(gathered)
  io.out(statusText(items))
  if (parts === null || (options.crl && parts.crl === null)) return 3
  await writePacked(options, gathered, parts)
  return 0
}
