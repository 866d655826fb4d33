import {
  type Bundle,
  canonicalize,
  type LedgerEntry,
  ledgerHead,
  parseBundle,
  parseJson,
} from '@parley/protocol'
import { printable } from '@parley/verifier/node'
import { type BundledEntries, bundledEntries } from '../ledger-bundle.js'
import {
  type LedgerFinding,
  type LedgerFindingCode,
  ledgerFindings,
  type ReceiptKeys,
} from '../ledger-findings.js'
import type { HeldChain } from '../ledger-records.js'
import type { HomeOption } from './home.js'
import { type Io, printJson } from './io.js'
import { openLedgers } from './ledger-desk.js'
import { bitsText } from './parse-option.js'
import { readNamedFile } from './read-input.js'

export type VerifyLedgerOptions = HomeOption & { readonly json?: true }

/** The exit codes of `parley-verify`: 2 not genuine, 4 does not match. */
const CODES: Readonly<Record<LedgerFindingCode, number>> = {
  key_unknown: 2,
  signature_invalid: 2,
  arithmetic_wrong: 4,
  link_broken: 4,
  fork: 4,
  parted: 4,
}

const WORDS: Readonly<Record<LedgerFindingCode, string>> = {
  key_unknown: 'nothing held here tells the key of its keyset',
  signature_invalid: 'not signed by the key of its keyset',
  arithmetic_wrong: 'its figures do not add up',
  link_broken: 'the later entry does not go on from the earlier',
  fork: 'two entries in one place of one keyset: that relay was rolled back, or keeps two chains',
  parted:
    'two entries in one place of two keysets: a relay was rolled back, or the tag was used at two relays',
}

/**
 * `parley ledger verify`: whether all entries that are held, and those of the bundles given, are of one chain for each
 * secret. Where they are not, it prints the signed entries that contradict each other.
 */
export const runVerifyLedger = async (
  paths: readonly string[],
  options: VerifyLedgerOptions,
  io: Io,
): Promise<number> => {
  const { chains, keys, did } = await openLedgers(options, io)
  const bundled = (await Promise.all(paths.map(readBundle))).map((bundle) => bundledEntries(bundle, did))
  // What a keyset's digest commits to counts more than what was noted of it.
  const known: ReceiptKeys = new Map([...keys, ...bundled.flatMap(({ keys: more }) => [...more])])
  const reports = withBundles(chains, bundled).map((chain) => reportOf(chain, known))
  if (options.json === true) printJson(io, { did, chains: reports })
  else io.out(reports.map(textOf).join('') || 'no entry is held\n')
  const codes = reports.flatMap(({ findings }) => findings.map(({ code }) => CODES[code]))
  return codes.length === 0 ? 0 : Math.min(...codes)
}

const readBundle = async (path: string): Promise<Bundle> => parseBundle(parseJson(await readNamedFile(path)))

type Entries = Pick<HeldChain, 'lane' | 'tag' | 'entries'>

const withBundles = (
  chains: readonly HeldChain[],
  bundled: readonly BundledEntries[],
): readonly Entries[] => {
  const all = [...chains.flatMap(({ entries }) => entries), ...bundled.flatMap(({ entries }) => entries)]
  const groups = new Map<string, LedgerEntry[]>()
  for (const entry of all) {
    const name = `${entry.lane} ${entry.tag}`
    groups.set(name, [...(groups.get(name) ?? []), entry])
  }
  return [...groups.values()].flatMap((entries) =>
    entries[0] === undefined ? [] : [{ lane: entries[0].lane, tag: entries[0].tag, entries }],
  )
}

type Report = {
  readonly lane: string
  readonly tag: string
  readonly held: number
  readonly last_seq: number
  readonly spent_millibits: number
  readonly limit_millibits: number
  readonly keysets: number
  readonly consistent: boolean
  readonly findings: readonly LedgerFinding[]
}

const reportOf = ({ lane, tag, entries }: Entries, keys: ReceiptKeys): Report => {
  const distinct = [...new Map(entries.map((entry) => [ledgerHead(entry), entry])).values()]
  const last = distinct.reduce((one, other) => (other.seq > one.seq ? other : one))
  const findings = ledgerFindings(distinct, keys)
  return {
    lane,
    tag,
    held: distinct.length,
    last_seq: last.seq,
    spent_millibits: last.after_millibits,
    limit_millibits: last.limit_millibits,
    keysets: new Set(distinct.map(({ keyset_digest }) => keyset_digest)).size,
    consistent: findings.length === 0,
    findings,
  }
}

const textOf = (report: Report): string =>
  [
    `${printable(report.tag)}  ${report.lane}  ${report.consistent ? 'one chain' : 'NOT ONE CHAIN'}`,
    `  entries  ${report.held} held of ${report.last_seq + 1}, under ${report.keysets} ${report.keysets === 1 ? 'keyset' : 'keysets'}`,
    `  spent    ${bitsText(report.spent_millibits)} of ${bitsText(report.limit_millibits)}`,
    ...report.findings.flatMap(({ code, entries }) => [
      `  ${code}: ${WORDS[code]}`,
      ...entries.map((entry) => `    ${printable(canonicalize({ ...entry }))}`),
    ]),
    '',
  ].join('\n')
