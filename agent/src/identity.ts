import { randomBytes } from 'node:crypto'
import {
  canonicalize,
  equalBytes,
  formatDid,
  fromBase64url,
  parseDid,
  ProtocolError,
  type SigningKey,
  signingKeyFromSeed,
  toBase64url,
} from '@parley/protocol'
import * as v from 'valibot'
import { createPrivateFile } from './private-file.js'
import { readState } from './read-state.js'

/** A participant: its self-certifying identifier and the key that it is. */
export type Identity = { readonly did: string; readonly key: SigningKey }

const SEED_BYTES = 32
const schema = v.strictObject({ version: v.literal('parley-identity-v1'), did: v.string(), seed: v.string() })

/**
 * The identity of an Ed25519 seed, as `did:oas:self:agent:…`.
 * @param seed 32 bytes; whoever has them is this participant
 * @throws ProtocolError `key_refused` on another size.
 * @see SPEC §5
 */
export const identityFromSeed = (seed: Uint8Array): Identity => {
  const key = signingKeyFromSeed(seed)
  return { key, did: formatDid({ namespace: 'self', kind: 'agent', publicKey: key.publicKey }) }
}

/** A fresh identity that lives in memory only. */
export const generateIdentity = (): Identity => identityFromSeed(randomBytes(SEED_BYTES))

/**
 * Makes an identity and keeps it in a file that only its owner may read.
 * @throws AgentError `state_exists`: an identity is never overwritten.
 */
export const createIdentity = async (path: string): Promise<Identity> => {
  const seed = randomBytes(SEED_BYTES)
  const identity = identityFromSeed(seed)
  const file = { version: 'parley-identity-v1', did: identity.did, seed: toBase64url(seed) }
  await createPrivateFile(path, canonicalize(file))
  return identity
}

/**
 * Reads an identity back.
 * @throws AgentError `state_missing`, `file_not_private`, `state_malformed`
 */
export const loadIdentity = (path: string): Promise<Identity> =>
  Promise.resolve().then(() => readState(path, schema, ofOwnKey))

const ofOwnKey = ({ did, seed }: v.InferOutput<typeof schema>): Identity => {
  const key = signingKeyFromSeed(fromBase64url(seed, SEED_BYTES))
  if (!equalBytes(parseDid(did).publicKey, key.publicKey))
    throw new ProtocolError('did_malformed', 'the identifier is of another key')
  return { did, key }
}
