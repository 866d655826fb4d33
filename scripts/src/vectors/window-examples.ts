import {
  isJsonObject,
  type JsonObject,
  type LedgerClaim,
  type LedgerEntry,
  signLedgerClaim,
  signLedgerEntry,
} from '@parley/protocol'
import { didOf, keyOf, keys, lane, nonce } from './example-relay.js'

const WINDOW = { seconds: 86_400, limit_millibits: 8_000 }
const PAIR_LIMIT = 10_000

/** The claim of an owner that also bounds a day, and wants to be told what the same counterparties have learnt. */
export const windowedClaim: LedgerClaim = signLedgerClaim(
  lane,
  {
    version: 'parley-ledger-claim-v1',
    owner: didOf('initiator'),
    tag: 'price-limit',
    limit_millibits: 20_000,
    window: WINDOW,
    pair_limit_millibits: PAIR_LIMIT,
    head: null,
    nonce: nonce('windowed claim nonce'),
  },
  keyOf('initiator'),
)

/** A debit as it is written under that claim. */
export const windowedEntry = ({ signature: _, ...debit }: LedgerEntry): LedgerEntry =>
  signLedgerEntry(
    {
      ...debit,
      window: { ...WINDOW, spent_millibits: debit.charge_millibits },
      pair: { spent_millibits: debit.charge_millibits, limit_millibits: PAIR_LIMIT },
    },
    keys.receipt,
  )

type Refused = { readonly name: string; readonly value: JsonObject }

/** What an entry or a claim with these members must refuse: they are left out where they do not apply, and closed. */
export function windowRefusals(value: JsonObject): Refused[] {
  const isEntry = value['version'] === 'parley-ledger-v1'
  const { window, pair } = value
  if (window === undefined || !isJsonObject(window)) return []
  const { seconds: _, ...timeless } = window
  const { limit_millibits: __, ...unlimited } = window
  const refused = (name: string, changed: JsonObject): Refused => ({ name, value: { ...value, ...changed } })
  return [
    refused('a window that is null', { window: null }),
    refused('a window without seconds', { window: timeless }),
    refused('a window without a limit', { window: unlimited }),
    refused('a window of no time', { window: { ...window, seconds: 0 } }),
    refused('a window of half a second', { window: { ...window, seconds: 0.5 } }),
    refused('a window of more than 31 days', { window: { ...window, seconds: 2_678_401 } }),
    refused('a window below nothing', { window: { ...window, limit_millibits: -1 } }),
    refused('a window of text', { window: { ...window, seconds: '86400' } }),
    refused('a window with a member more', { window: { ...window, since: 0 } }),
    ...(isEntry ? entryRefusals(window, refused) : claimRefusals(window, refused)),
    ...(pair !== undefined && isJsonObject(pair) ? pairRefusals(pair, refused) : []),
  ]
}

type Refuse = (name: string, changed: JsonObject) => Refused

const entryRefusals = ({ spent_millibits: _, ...window }: JsonObject, refused: Refuse): Refused[] => [
  refused('a window that says nothing of what was spent', { window }),
  refused('a limit for its pair outside it', { pair_limit_millibits: PAIR_LIMIT }),
]

const claimRefusals = (window: JsonObject, refused: Refuse): Refused[] => [
  refused('a window that says what was spent', { window: { ...window, spent_millibits: 0 } }),
  refused('a pair', { pair: { spent_millibits: 0, limit_millibits: null } }),
  refused('a limit for its pair that is null', { pair_limit_millibits: null }),
]

const pairRefusals = (pair: JsonObject, refused: Refuse): Refused[] => {
  const { spent_millibits: _, ...unspent } = pair
  const { limit_millibits: __, ...unlimited } = pair
  return [
    refused('a pair that is null', { pair: null }),
    refused('a pair without its figure', { pair: unspent }),
    refused('a pair without its limit', { pair: unlimited }),
    refused('a pair below nothing', { pair: { ...pair, spent_millibits: -1 } }),
    refused('a pair over the highest figure', { pair: { ...pair, spent_millibits: 1_000_000_001 } }),
    refused('a pair with a member more', { pair: { ...pair, others: 1 } }),
  ]
}
