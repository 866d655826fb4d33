import { canonicalBytes, sha256, toHex } from '@parley/protocol'
import * as v from 'valibot'
import { fromPaddedJson, toPaddedJson } from '../release/padded-json.js'
import { participantKey } from '../session/participant-key.js'
import type { Store, Write } from '../store/store.js'

const RECORD_BYTES = 64
/** The highest figure of an entry: there the count stands still. */
export const MOST_PAIR_MILLIBITS = 1_000_000_000
const record = v.strictObject({
  spent_millibits: v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(MOST_PAIR_MILLIBITS)),
})

/** Keys, not names: one key may come under many. Who comes under many keys is several. */
const pairKey = (ownerKey: string, others: readonly string[]): string =>
  `ledger-pair/${ownerKey}/${toHex(sha256(canonicalBytes(others.map(participantKey).sort())))}`

/** What exactly these counterparties have been told by an owner, whatever the tag. Advice to it: fresh keys are free. */
export function pairSpent(store: Store, ownerKey: string, others: readonly string[]): number {
  const bytes = store.get(pairKey(ownerKey, others))
  return bytes === undefined ? 0 : v.parse(record, fromPaddedJson(bytes)).spent_millibits
}

/** The write by which that becomes another figure. */
export function pairWrite(ownerKey: string, others: readonly string[], spent_millibits: number): Write {
  return {
    kind: 'put',
    key: pairKey(ownerKey, others),
    value: toPaddedJson({ spent_millibits }, RECORD_BYTES),
  }
}
