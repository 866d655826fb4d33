import { spentWithin, tighterWindow } from '@parley/guardian'
import { type LedgerClaim, type LedgerEntry, signLedgerEntry, toBase64url } from '@parley/protocol'
import type { Clock } from '../clock.js'
import type { RelayKeys } from '../keys/relay-keys.js'
import { type ChainTip, chainTime, recentWith } from './chain.js'

/** What it takes to write an entry. */
export type Pen = {
  readonly keys: Pick<RelayKeys, 'keyset' | 'keysetDigest' | 'receiptKey'>
  readonly clock: Clock
  readonly random: (size: number) => Uint8Array
}

type Step = Pick<LedgerEntry, 'kind' | 'session_id' | 'charge_millibits' | 'limit_millibits' | 'pair'>

/** The entry that starts a chain under this keyset; it charges nothing. `from`: the last entry elsewhere, if any. */
export function openEntry(pen: Pen, claim: LedgerClaim, from: ChainTip | null, limit: number): LedgerEntry {
  return writeEntry(pen, claim, from, {
    kind: 'open',
    session_id: null,
    charge_millibits: 0,
    limit_millibits: limit,
  })
}

/** The entry that charges one session. */
export function debitEntry(
  pen: Pen,
  claim: LedgerClaim,
  before: ChainTip,
  charged: {
    readonly session: string
    readonly charge: number
    readonly limit: number
    readonly pair: LedgerEntry['pair']
  },
): LedgerEntry {
  const { session, charge, limit, pair } = charged
  return writeEntry(pen, claim, before, {
    kind: 'debit',
    session_id: session,
    charge_millibits: charge,
    limit_millibits: limit,
    ...(pair === undefined ? {} : { pair }),
  })
}

const writeEntry = (
  { keys, clock, random }: Pen,
  claim: LedgerClaim,
  from: ChainTip | null,
  step: Step,
): LedgerEntry => {
  const before = from?.spent_millibits ?? 0
  const at = clock.nowSeconds()
  const unsigned = {
    version: 'parley-ledger-v1' as const,
    lane: keys.keyset.lane,
    keyset_digest: keys.keysetDigest,
    owner: claim.owner,
    tag: claim.tag,
    seq: from === null ? 0 : from.seq + 1,
    previous: from?.head ?? null,
    ...step,
    before_millibits: before,
    after_millibits: before + step.charge_millibits,
    ...windowOf(claim, from, step.charge_millibits, at),
    at,
    salt: toBase64url(random(32)),
  }
  return signLedgerEntry(unsigned, keys.receiptKey)
}

/** The tighter of what stands and what is claimed, and what was charged within it. */
const windowOf = (
  claim: LedgerClaim,
  from: ChainTip | null,
  charge: number,
  now: number,
): Pick<LedgerEntry, 'window'> => {
  const window = tighterWindow(from?.window ?? null, claim.window ?? null)
  if (window === null) return {}
  const recent = from === null ? [] : recentWith(from, charge, { window, now })
  const spent = spentWithin(recent, window.seconds, chainTime({ recent }, now))
  return { window: { ...window, spent_millibits: spent } }
}
