import { formatDid, type JsonValue, type SigningKey, signingKeyFromSeed } from '@parley/protocol'
import {
  type ActGrant,
  type ActQuestion,
  type ConsentGrant,
  type ConsentQuestion,
  type Grant,
  issueGrant,
  type UnsignedGrant,
} from '../../src/index.js'

export type Person = { readonly did: string; readonly key: SigningKey }

const person = (octet: number): Person => {
  const key = signingKeyFromSeed(new Uint8Array(32).fill(octet))
  return { key, did: formatDid({ namespace: 'self', kind: 'agent', publicKey: key.publicKey }) }
}

export const [subject, holder, host, stranger, helper] = [1, 2, 3, 4, 5].map(person) as [
  Person,
  Person,
  Person,
  Person,
  Person,
]

export const NOW = 1_790_000_000

type Change<Of> = { readonly [Member in keyof Of]?: JsonValue | undefined }

const issued = (terms: object, change: object, key: SigningKey): Grant => {
  const all = Object.entries({ ...terms, ...change }).filter(([, value]) => value !== undefined)
  return issueGrant(Object.fromEntries(all) as UnsignedGrant, key)
}

/** The subject lets the holder use its data for one purpose at the host. */
export const consent = (change: Change<ConsentGrant> = {}, by: Person = subject): ConsentGrant =>
  issued(
    {
      typ: 'consent',
      iss: by.did,
      sub: holder.did,
      aud: host.did,
      purpose: 'billing',
      iat: NOW,
      exp: NOW + 3600,
      max_uses: 2,
      jti: 'consent-1',
    },
    change,
    by.key,
  ) as ConsentGrant

export const consentQuestion = (change: Partial<ConsentQuestion> = {}): ConsentQuestion => ({
  typ: 'consent',
  subject: subject.did,
  holder: holder.did,
  audience: host.did,
  purpose: 'billing',
  contract_hash: null,
  ...change,
})

/** The subject gives the holder a token for the host. */
export const act = (change: Change<ActGrant> = {}, by: Person = subject, to: Person = holder): ActGrant =>
  issued(
    {
      typ: 'act',
      iss: by.did,
      sub: to.did,
      aud: host.did,
      scope: ['relay:session:*', 'tools:search:invoke'],
      iat: NOW,
      exp: NOW + 900,
      jti: 'act-1',
      cnf: { kid: `${to.did}#key-1` },
      constraints: { max_depth: 2 },
    },
    change,
    by.key,
  ) as ActGrant

export const actQuestion = (change: Partial<ActQuestion> = {}): ActQuestion => ({
  typ: 'act',
  roots: [subject.did],
  holder: holder.did,
  audience: host.did,
  scope: 'relay:session:join',
  purpose: null,
  contract_hash: null,
  ...change,
})
