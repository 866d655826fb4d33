import { type Refused, refused } from '../refused.js'
import type { ActGrant, ApprovalGrant, ConsentGrant, Grant } from './grant.js'
import type { GrantCode } from './grant-code.js'
import { isInScope } from './scope.js'

type Parties = {
  /** The identifier of whoever asks, proven by a signature of its own over what it asks: a grant alone proves nobody. */
  readonly holder: string
  /** The identifier of the one that enforces. */
  readonly audience: string
}

/** May the data of a subject be used by the holder for a purpose? */
export type ConsentQuestion = Parties & {
  readonly typ: 'consent'
  /** The data subject: only its own key consents for it. */
  readonly subject: string
  readonly purpose: string
  readonly contract_hash: string | null
}

/** Has one of those who may approve said yes to exactly this effect? */
export type ApprovalQuestion = Parties & {
  readonly typ: 'approval'
  readonly approvers: readonly string[]
  readonly action_digest: string
}

/** May the holder do this, on the authority of one of these roots? */
export type ActQuestion = Parties & {
  readonly typ: 'act'
  readonly roots: readonly string[]
  /** `service:resource:action`, without `*`. */
  readonly scope: string
  readonly purpose: string | null
  readonly contract_hash: string | null
}

/** What a grant is asked for. */
export type GrantQuestion = ConsentQuestion | ApprovalQuestion | ActQuestion

type No = Refused<GrantCode> | undefined

/** Holds a grant's parties and terms to what is asked; undefined where they fit. */
export const checkTerms = (grant: Grant, asked: GrantQuestion): No => {
  if (grant.sub !== asked.holder) return refused('wrong_holder', '/sub')
  if (grant.aud !== asked.audience) return refused('wrong_audience', '/aud')
  if (grant.typ === 'consent' && asked.typ === 'consent') return checkConsent(grant, asked)
  if (grant.typ === 'approval' && asked.typ === 'approval') return checkApproval(grant, asked)
  if (grant.typ === 'act' && asked.typ === 'act') return checkAct(grant, asked)
  return refused('wrong_type', '/typ')
}

const checkConsent = ({ purpose, contract_hash }: ConsentGrant, asked: ConsentQuestion): No => {
  if (purpose !== asked.purpose) return refused('wrong_purpose', '/purpose')
  return fits(contract_hash, asked.contract_hash) ? undefined : refused('wrong_contract', '/contract_hash')
}

const checkApproval = ({ action_digest }: ApprovalGrant, asked: ApprovalQuestion): No =>
  action_digest === asked.action_digest ? undefined : refused('wrong_action', '/action_digest')

const checkAct = ({ scope, constraints = {} }: ActGrant, asked: ActQuestion): No => {
  const { purpose, contract_hash } = constraints
  if (!fits(purpose, asked.purpose)) return refused('wrong_purpose', '/constraints/purpose')
  if (!fits(contract_hash, asked.contract_hash))
    return refused('wrong_contract', '/constraints/contract_hash')
  return isInScope(asked.scope, scope) ? undefined : refused('not_in_scope', '/scope')
}

// What a grant binds must be there: a question that leaves it open is not answered by it.
const fits = (bound: string | undefined, asked: string | null): boolean =>
  bound === undefined || bound === asked
