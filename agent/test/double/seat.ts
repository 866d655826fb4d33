import {
  type Consent,
  type JsonValue,
  type LedgerClaim,
  type LedgerEntry,
  ledgerHead,
  type Role,
  signLedgerEntry,
  toBase64url,
} from '@parley/protocol'
import { type DoubleKeys, NOW_SECONDS } from './keys.js'
import { admitted } from './terms.js'

/** What the double knows of one participant. */
export type DoubleSeat = {
  readonly role: Role
  readonly did: string
  readonly nonce: string
  readonly head: LedgerEntry
  consent?: Consent
  opened?: { readonly input: JsonValue; readonly salt: string }
  encapsulation?: string
}

const CHARGE = admitted.capacity.charge_millibits

/** The entry that a claim leads to: the one it carries where it is of these keys, else a new chain. */
export const headOf = (keys: DoubleKeys, claim: LedgerClaim): LedgerEntry => {
  const { head } = claim
  if (head?.keyset_digest === keys.keysetDigest) return head
  const spent = head?.after_millibits ?? 0
  return sign(keys, claim, {
    seq: head === null ? 0 : head.seq + 1,
    previous: head === null ? null : ledgerHead(head),
    kind: 'open',
    session_id: null,
    before_millibits: spent,
    charge_millibits: 0,
    after_millibits: spent,
    limit_millibits: claim.limit_millibits,
  })
}

/** The entry that charges a session. */
export const debitOf = (keys: DoubleKeys, before: LedgerEntry, session_id: string): LedgerEntry =>
  sign(keys, before, {
    seq: before.seq + 1,
    previous: ledgerHead(before),
    kind: 'debit',
    session_id,
    before_millibits: before.after_millibits,
    charge_millibits: CHARGE,
    after_millibits: before.after_millibits + CHARGE,
    limit_millibits: before.limit_millibits,
  })

type Step = Omit<
  LedgerEntry,
  'version' | 'lane' | 'keyset_digest' | 'owner' | 'tag' | 'at' | 'salt' | 'signature'
>

const sign = (
  { keyset, keysetDigest, receiptKey }: DoubleKeys,
  of: Pick<LedgerEntry, 'owner' | 'tag'>,
  step: Step,
): LedgerEntry =>
  signLedgerEntry(
    {
      version: 'parley-ledger-v1',
      lane: keyset.lane,
      keyset_digest: keysetDigest,
      owner: of.owner,
      tag: of.tag,
      ...step,
      at: NOW_SECONDS,
      salt: toBase64url(new Uint8Array(32).fill(step.seq)),
    },
    receiptKey,
  )
