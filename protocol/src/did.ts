import { fromBase58, toBase58 } from './base58.js'
import { concatBytes } from './bytes.js'
import { type Ed25519PublicKey, parseEd25519PublicKey } from './ed25519.js'
import { ProtocolError } from './errors.js'

/** The kinds of entity that a `did:oas` may name. */
export const DID_KINDS = [
  'hmr',
  'mhr',
  'enr',
  'ao',
  'agent',
  'agent:instance',
  'tool',
  'skill',
  'workflow',
  'model',
  'dataset',
  'service',
] as const

/** One of {@link DID_KINDS}. */
export type DidKind = (typeof DID_KINDS)[number]

/** What a `did:oas` says. */
export type Did = {
  /** 1 to 63 of a–z, 0–9 and hyphen. */
  readonly namespace: string
  readonly kind: DidKind
  readonly publicKey: Ed25519PublicKey
}

// Multicodec ed25519-pub as an unsigned varint.
const ED25519_PUB = Uint8Array.of(0xed, 0x01)
const NAMESPACE = /^[a-z0-9-]{1,63}$/
const DID = /^did:oas:([a-z0-9-]{1,63}):([a-z:]{1,14}):z([1-9A-HJ-NP-Za-km-z]{1,50})$/

/**
 * The self-certifying DID of a key: `did:oas:<namespace>:<kind>:z<base58btc(0xED 0x01 ‖ key)>`.
 * @throws ProtocolError `did_malformed` on a namespace outside the grammar.
 * @see W3C Multikey (base58btc, multicodec 0xed)
 */
export const formatDid = ({ namespace, kind, publicKey }: Did): string => {
  if (!NAMESPACE.test(namespace)) throw new ProtocolError('did_malformed', 'namespace is outside the grammar')
  return `did:oas:${namespace}:${kind}:z${toBase58(concatBytes(ED25519_PUB, publicKey))}`
}

// A few participants come back often, and base58 costs more than all else here.
const MAX_REMEMBERED = 512
const decoded = new Map<string, Omit<Did, 'publicKey'> & { readonly bytes: Uint8Array }>()

/**
 * Parses a `did:oas` whose identifier is the key itself; formatting the result gives the same text.
 * @throws ProtocolError `did_malformed` on anything outside the grammar, an unknown kind, another key type.
 * @throws ProtocolError `key_refused` if the key is not a usable point.
 */
export const parseDid = (text: string): Did => {
  const known = decoded.get(text) ?? decode(text)
  return {
    namespace: known.namespace,
    kind: known.kind,
    publicKey: parseEd25519PublicKey(known.bytes.slice()),
  }
}

const decode = (text: string): Omit<Did, 'publicKey'> & { readonly bytes: Uint8Array } => {
  const [, namespace, kindText, identifier] = DID.exec(text) ?? []
  const kind = DID_KINDS.find((known) => known === kindText)
  if (namespace === undefined || kind === undefined || identifier === undefined)
    throw new ProtocolError('did_malformed', 'DID is outside the grammar')
  const multikey = fromBase58(identifier)
  if (multikey.length !== 34 || multikey[0] !== ED25519_PUB[0] || multikey[1] !== ED25519_PUB[1])
    throw new ProtocolError('did_malformed', 'DID does not hold an Ed25519 key')
  if (decoded.size === MAX_REMEMBERED) decoded.clear()
  const entry = { namespace, kind, bytes: multikey.slice(2) }
  decoded.set(text, entry)
  return entry
}

/** Whether a text is a `did:oas` whose key is usable. */
export const isDid = (text: string): boolean => {
  try {
    parseDid(text)
    return true
  } catch (error) {
    if (error instanceof ProtocolError) return false
    throw error
  }
}
