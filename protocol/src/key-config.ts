import { ByteReader } from './byte-reader.js'
import { concatBytes } from './bytes.js'
import { ProtocolError } from './errors.js'
import { KEM_X25519_HKDF_SHA256, u16, X25519_KEY_BYTES } from './hpke-suite.js'

/** A key of an OHTTP gateway and the algorithms that it may be used with. */
export type KeyConfig = {
  /** One octet, by which the host-proxy routes. */
  readonly keyId: number
  /** Always 0x0020, DHKEM(X25519, HKDF-SHA256). */
  readonly kemId: number
  /** 32 bytes. */
  readonly publicKey: Uint8Array
  readonly suites: readonly SymmetricSuite[]
}

/** A pair of HPKE registry numbers. */
export type SymmetricSuite = { readonly kdfId: number; readonly aeadId: number }

/**
 * The `application/ohttp-keys` bytes of one or more configurations, each preceded by its u16 length.
 * @throws ProtocolError `ohttp_malformed` on what {@link parseKeyConfigs} would refuse.
 * @see RFC 9458 §3.1, §3.2
 */
export const encodeKeyConfigs = (configs: readonly KeyConfig[]): Uint8Array => {
  const bytes = concatBytes(...configs.map(encodeKeyConfig).flatMap((config) => [u16(config.length), config]))
  parseKeyConfigs(bytes)
  return bytes
}

/** One configuration, without the length that precedes it in the media type. @see RFC 9458 §3.1 */
export const encodeKeyConfig = ({ keyId, kemId, publicKey, suites }: KeyConfig): Uint8Array =>
  concatBytes(
    Uint8Array.of(keyId),
    u16(kemId),
    publicKey,
    u16(suites.length * 4),
    ...suites.flatMap(({ kdfId, aeadId }) => [u16(kdfId), u16(aeadId)]),
  )

/**
 * Parses `application/ohttp-keys`. One flaw anywhere refuses the whole: no configurations, another KEM, a
 * key id twice, no suite, a length that does not fit, trailing bytes.
 * @throws ProtocolError `ohttp_malformed`
 * @see RFC 9458 §3.2
 */
export const parseKeyConfigs = (bytes: Uint8Array): KeyConfig[] => {
  const reader = new ByteReader(bytes, 'ohttp_malformed')
  const configs: KeyConfig[] = []
  while (!reader.done) configs.push(parseKeyConfig(reader.take(reader.u16())))
  if (configs.length === 0) throw malformed('there is no key configuration')
  if (new Set(configs.map((config) => config.keyId)).size < configs.length)
    throw malformed('a key id is used twice')
  return configs
}

const parseKeyConfig = (bytes: Uint8Array): KeyConfig => {
  const reader = new ByteReader(bytes, 'ohttp_malformed')
  const keyId = reader.u8()
  const kemId = reader.u16()
  if (kemId !== KEM_X25519_HKDF_SHA256) throw malformed('the KEM is unknown')
  const publicKey = reader.take(X25519_KEY_BYTES).slice()
  const suites = parseSuites(reader.take(reader.u16()))
  if (!reader.done) throw malformed('a key configuration has trailing bytes')
  return { keyId, kemId, publicKey, suites }
}

const parseSuites = (bytes: Uint8Array): SymmetricSuite[] => {
  if (bytes.length === 0) throw malformed('a key configuration has no suite')
  const reader = new ByteReader(bytes, 'ohttp_malformed')
  const suites: SymmetricSuite[] = []
  while (!reader.done) suites.push({ kdfId: reader.u16(), aeadId: reader.u16() })
  return suites
}

const malformed = (message: string): ProtocolError => new ProtocolError('ohttp_malformed', message)
