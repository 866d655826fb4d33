import { type JsonObject, type JsonValue, parseDid, ProtocolError, type SigningKey } from '@parley/protocol'
import * as v from 'valibot'
import { signDetached, verifyDetached } from './detached-jws.js'
import { did, digest, integer, jti, jws, purpose } from './grant-members.js'
import { scopes } from './scope.js'

/** How long a grant of each type may live, in seconds. */
export const GRANT_LIFE = {
  consent: { least: 60, most: 2_592_000 },
  approval: { least: 1, most: 900 },
  act: { least: 5, most: 86_400 },
} as const satisfies Record<string, { readonly least: number; readonly most: number }>

/** What a grant is: a data subject's consent, somebody's approval of one effect, or a capability token. */
export type GrantType = keyof typeof GRANT_LIFE

/** The most delegations below one token. */
export const MOST_DEPTH = 16

const uses = integer(1, 1_000_000)
const time = integer(0)
const head = { iss: did, sub: did, aud: did, iat: time, exp: time, jti, jws }

const consent = v.strictObject({
  typ: v.literal('consent'),
  ...head,
  purpose,
  contract_hash: v.exactOptional(digest),
  max_uses: uses,
})

const approval = v.strictObject({
  typ: v.literal('approval'),
  ...head,
  action_digest: digest,
  // One effect, once.
  max_uses: v.literal(1),
})

const act = v.strictObject({
  typ: v.literal('act'),
  ...head,
  scope: scopes,
  nbf: v.exactOptional(time),
  cnf: v.strictObject({ kid: v.string() }),
  constraints: v.exactOptional(
    v.strictObject({
      contract_hash: v.exactOptional(digest),
      purpose: v.exactOptional(purpose),
      max_uses: v.exactOptional(uses),
      max_depth: v.exactOptional(integer(0, MOST_DEPTH)),
    }),
  ),
  prf: v.exactOptional(digest),
})

/** A data subject's yes to one purpose. */
export type ConsentGrant = v.InferOutput<typeof consent>
/** Somebody's yes to exactly one effect. */
export type ApprovalGrant = v.InferOutput<typeof approval>
/** A capability token: scopes that its holder has and may hand on in part. */
export type ActGrant = v.InferOutput<typeof act>

/** One signed permission: `iss` lets `sub` do something at `aud`. */
export type Grant = ConsentGrant | ApprovalGrant | ActGrant

type Unsigned<Of> = Of extends Grant ? Omit<Of, 'jws'> : never

/** A grant before it is signed. */
export type UnsignedGrant = Unsigned<Grant>

const livesAsAllowed = ({ typ, iat, exp }: Grant): boolean =>
  exp - iat >= GRANT_LIFE[typ].least && exp - iat <= GRANT_LIFE[typ].most

// A token is its holder's own: the key that presents it is the one that it names.
const isHeldBySubject = (read: Grant): boolean => read.typ !== 'act' || read.cnf.kid === `${read.sub}#key-1`

const beginsInTime = (read: Grant): boolean =>
  read.typ !== 'act' || read.nbf === undefined || (read.nbf >= read.iat && read.nbf < read.exp)

const grant = v.pipe(
  v.variant('typ', [consent, approval, act]),
  v.check(livesAsAllowed, 'exp'),
  v.check(isHeldBySubject, 'cnf'),
  v.check(beginsInTime, 'nbf'),
)

/**
 * Reads a grant. It says nothing of the signature: {@link verifyGrant} does.
 * @throws ProtocolError `object_malformed` on a missing, unknown or wrong member, or a life outside {@link GRANT_LIFE}
 * @see protocol SPEC "Grants"
 */
export const parseGrant = (value: JsonValue): Grant => {
  const result = v.safeParse(grant, value, { abortEarly: true })
  if (result.success) return result.output
  const [issue] = result.issues
  const member = v.getDotPath(issue) ?? (issue.type === 'check' ? issue.message : '(root)')
  throw new ProtocolError(
    'object_malformed',
    `grant: member ${member.slice(0, 128)} is missing, unknown or wrong`,
  )
}

/**
 * Reads a grant and verifies that its issuer signed it.
 * @throws ProtocolError `object_malformed`, `signature_invalid`
 */
export const verifyGrant = (value: JsonValue): Grant => {
  const read = parseGrant(value)
  const { jws: signature, ...unsigned } = read
  verifyDetached(unsigned, signature, parseDid(read.iss).publicKey)
  return read
}

/**
 * Signs a grant.
 * @param key of `iss`
 * @throws ProtocolError `object_malformed` if it is not one that could be read back; `signature_invalid` on another's key
 */
export const issueGrant = (unsigned: UnsignedGrant, key: SigningKey): Grant => {
  const object: JsonObject = unsigned
  return verifyGrant({ ...object, jws: signDetached(object, key) })
}
