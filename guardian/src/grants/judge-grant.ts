import { type JsonValue, ProtocolError } from '@parley/protocol'
import { below, type Refused, refused } from '../refused.js'
import { checkDelegation } from './check-delegation.js'
import { type ActGrant, type Grant, MOST_DEPTH, verifyGrant } from './grant.js'
import type { GrantCode } from './grant-code.js'
import { checkTerms, type GrantQuestion } from './grant-question.js'

/** The grants that permit it, from the root to the one that was presented; one alone unless tokens were delegated. */
export type Judged = { readonly ok: true; readonly grants: readonly Grant[] } | Refused<GrantCode>

const MOST_LINKS = MOST_DEPTH + 1

/**
 * Whether a grant, as it came, permits what is asked, at a time: form, signature, delegation, parties, terms and dates.
 * Whether it was revoked or used up its store knows: {@link useGrant}.
 * @param chain the grant; of a delegated token all that it descends from, the root first
 * @param now Unix seconds
 * @returns a refusal's pointer begins with the link's place in the chain
 */
export const judgeGrant = (chain: readonly JsonValue[], asked: GrantQuestion, now: number): Judged => {
  if (chain.length > MOST_LINKS) return refused('chain_too_long', '')
  const grants: Grant[] = []
  for (const [at, value] of chain.entries()) {
    const read = readLink(value, grants.at(-1), asked)
    if (!read.ok) return below(`/${at}`, read)
    grants.push(read.grant)
  }
  const [root, presented] = [grants[0], grants.at(-1)]
  if (root === undefined || presented === undefined) return refused('no_grant', '')
  const last = `/${grants.length - 1}`
  if (!issuersOf(asked).includes(root.iss)) return refused('wrong_issuer', '/0/iss')
  const failed = checkTerms(presented, asked) ?? checkDates(presented, now)
  return failed === undefined ? { ok: true, grants } : below(last, failed)
}

type Link = { readonly ok: true; readonly grant: Grant } | Refused<GrantCode>

const readLink = (value: JsonValue, parent: Grant | undefined, asked: GrantQuestion): Link => {
  const read = verified(value)
  if (!read.ok) return read
  const { grant } = read
  if (grant.typ !== asked.typ) return refused('wrong_type', '/typ')
  return (parent === undefined ? checkRoot(grant) : checkChild(grant, parent)) ?? read
}

const verified = (value: JsonValue): Link => {
  try {
    return { ok: true, grant: verifyGrant(value) }
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    return refused(error.code === 'signature_invalid' ? 'signature_invalid' : 'grant_malformed', '')
  }
}

// A token whose parent is left out would show less than it is bound by.
const checkRoot = (grant: Grant): Refused<GrantCode> | undefined =>
  isAct(grant) && grant.prf !== undefined ? refused('chain_broken', '/prf') : undefined

// Nobody consents or approves in another's name.
const checkChild = (grant: Grant, parent: Grant): Refused<GrantCode> | undefined =>
  isAct(grant) && isAct(parent) ? checkDelegation(grant, parent) : refused('chain_broken', '/typ')

const isAct = (grant: Grant): grant is ActGrant => grant.typ === 'act'

const issuersOf = (asked: GrantQuestion): readonly string[] => {
  if (asked.typ === 'consent') return [asked.subject]
  return asked.typ === 'approval' ? asked.approvers : asked.roots
}

// A delegated token lives within its parents, so that its own dates are the narrowest.
const checkDates = (grant: Grant, now: number): Refused<GrantCode> | undefined => {
  const start = isAct(grant) ? (grant.nbf ?? grant.iat) : grant.iat
  if (!(now >= start)) return refused('not_yet_valid', '/iat')
  return now < grant.exp ? undefined : refused('expired', '/exp')
}
