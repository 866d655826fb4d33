import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Lane, type LedgerEntry, toBase64url } from '@parley/protocol'
import type { ReceiptKeys } from './ledger-findings.js'
import { LedgerWallet } from './ledger-wallet.js'
import { isCode, orUnusable } from './private-file.js'
import { SessionFile } from './session-file.js'
import type { SessionRecord } from './session-record.js'

/** What a home holds of one secret's budget at a lane's relays. */
export type HeldChain = {
  readonly lane: Lane
  readonly tag: string
  /** The last entry that is kept; null before the first result. */
  readonly head: LedgerEntry | null
  /** All entries that are held: the last one, and those behind offers. */
  readonly entries: readonly LedgerEntry[]
  /** The sessions about it that got as far as an offer, the latest first. */
  readonly sessions: readonly SessionRecord[]
}

/** Everything that a home holds of its owner's ledgers. */
export type LedgerRecords = { readonly chains: readonly HeldChain[]; readonly keys: ReceiptKeys }

const RECORD = /^[0-9a-f]{64}\.json$/

/**
 * Reads all ledger entries of a home, by lane and tag, and the receipt keys that its owner appraised.
 * @throws AgentError `state_malformed`, `file_not_private`, `file_unusable`
 */
export const readLedgerRecords = async (home: string): Promise<LedgerRecords> => {
  const kept = new LedgerWallet(join(home, 'ledger'))
  const held = (await recordsIn(join(home, 'ledger'))).map((path) => kept.read(path))
  const files = (await recordsIn(join(home, 'sessions'))).map((path) => SessionFile.open(path))
  const sessions = (await Promise.all(files)).map(({ record }) => record)
  const keys = new Map([
    ...held.map(({ entry, receiptKey }) => [entry.keyset_digest, toBase64url(receiptKey)] as const),
    ...sessions.map(({ keyset_digest, receipt_key }) => [keyset_digest, receipt_key] as const),
  ])
  const heads = held.map(({ entry }) => entry)
  return {
    keys,
    chains: chainsOf(
      heads,
      sessions.filter(({ offer }) => offer !== null),
    ),
  }
}

const recordsIn = async (folder: string): Promise<readonly string[]> => {
  const names = readdir(folder).catch((error: unknown) => {
    if (isCode(error, 'ENOENT')) return []
    throw error
  })
  return (await orUnusable(folder, names))
    .filter((name) => RECORD.test(name))
    .sort()
    .map((name) => join(folder, name))
}

const chainsOf = (
  heads: readonly LedgerEntry[],
  sessions: readonly SessionRecord[],
): readonly HeldChain[] => {
  const names = new Map([...heads, ...sessions].map(({ lane, tag }) => [`${lane} ${tag}`, { lane, tag }]))
  return [...names.values()]
    .sort((one, other) => (`${one.lane} ${one.tag}` < `${other.lane} ${other.tag}` ? -1 : 1))
    .map(({ lane, tag }) => {
      const isOf = (each: { readonly lane: Lane; readonly tag: string }): boolean =>
        each.lane === lane && each.tag === tag
      const head = heads.find(isOf) ?? null
      const about = sessions.filter(isOf).sort((one, other) => madeAt(other) - madeAt(one))
      const entries = [
        ...(head === null ? [] : [head]),
        ...about.flatMap(({ ledger_entry }) => ledger_entry ?? []),
      ]
      return { lane, tag, head, entries, sessions: about }
    })
}

const madeAt = ({ offer }: SessionRecord): number => offer?.created_at ?? 0
