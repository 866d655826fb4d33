export { SIZE_CLASSES } from './size-class.js'

/** An encapsulated request. @see RFC 9458 §9.1 */
export const OHTTP_REQUEST_TYPE = 'message/ohttp-req'

/** An encapsulated response. @see RFC 9458 §9.2 */
export const OHTTP_RESPONSE_TYPE = 'message/ohttp-res'

/** Key configurations. @see RFC 9458 §9.3 */
export const OHTTP_KEYS_TYPE = 'application/ohttp-keys'

/** JSON; canonical where a document of ours is meant. @see RFC 8259 */
export const JSON_TYPE = 'application/json'

/** Problem details, in clear, before anything is decapsulated. @see RFC 9457 */
export const PROBLEM_TYPE = 'application/problem+json'

/** Problem `type` of a key that the gateway does not have. @see RFC 9458 §5.3 */
export const OHTTP_KEY_PROBLEM = 'https://iana.org/assignments/http-problem-types#ohttp-key'

/** The paths that are seen outside the encapsulation. */
export const OUTER_PATHS = {
  ohttp: '/ohttp',
  evidence: '/evidence',
  health: '/health',
  replicas: '/replicas',
} as const

/** The largest body that is forwarded: 2 MiB, the largest size class. */
export const MAX_MESSAGE_BYTES = 2 * 1024 * 1024

/** The key id of an encapsulated request, its first octet; undefined for an empty message. @see RFC 9458 §4.3 */
export const keyIdOf = (message: Uint8Array): number | undefined => message[0]
