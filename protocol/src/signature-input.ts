import { ProtocolError } from './errors.js'

/** The label under which the one signature of a message stands. */
export const SIGNATURE_LABEL = 'parley'

/** The parameters of a signature; the algorithm is always ed25519. */
export type SignatureParameters = {
  /** Seconds since 1970, an integer. */
  readonly created: number
  /** Visible ASCII and spaces without quote and backslash. */
  readonly keyId: string
  readonly tag: string
}

const KNOWN_NAMES = ['created', 'keyid', 'alg', 'tag']
const PARAMETER = /;([a-z]+)=(?:"([ !#-[\]-~]*)"|(0|[1-9][0-9]{0,14}))/y
const TEXT = /^[ !#-[\]-~]*$/

/**
 * `;created=…;keyid="…";alg="ed25519";tag="…"`.
 * @throws ProtocolError `http_signature_malformed` on a value outside the grammar.
 * @see RFC 9421 §2.3
 */
export const encodeParameters = ({ created, keyId, tag }: SignatureParameters): string => {
  if (
    !Number.isSafeInteger(created) ||
    created < 0 ||
    created >= 1e15 ||
    !TEXT.test(keyId) ||
    !TEXT.test(tag)
  )
    throw malformed('a parameter is outside the grammar')
  return `;created=${created};keyid="${keyId}";alg="ed25519";tag="${tag}"`
}

/**
 * Parses the parameters after the component list, in any order, each exactly once.
 * @throws ProtocolError `http_signature_malformed` on a missing, repeated or unknown parameter, another
 * algorithm, or a `created` that is not an integer.
 * @see RFC 9421 §2.3
 */
export const parseParameters = (text: string): SignatureParameters => {
  const found = new Map<string, string | number>()
  PARAMETER.lastIndex = 0
  while (PARAMETER.lastIndex < text.length) {
    const [, name = '', quoted, integer] = PARAMETER.exec(text) ?? []
    if (!KNOWN_NAMES.includes(name) || found.has(name)) throw malformed('a parameter is unknown or repeated')
    found.set(name, quoted ?? Number(integer))
  }
  const [created, keyId, alg, tag] = KNOWN_NAMES.map((name) => found.get(name))
  if (
    typeof created !== 'number' ||
    typeof keyId !== 'string' ||
    typeof tag !== 'string' ||
    alg !== 'ed25519'
  )
    throw malformed('a parameter is missing or of another type')
  return { created, keyId, tag }
}

const malformed = (message: string): ProtocolError => new ProtocolError('http_signature_malformed', message)
