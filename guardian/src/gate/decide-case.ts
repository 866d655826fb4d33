import { EFFECTS } from './effect.js'
import { effectDigest, stateEffect } from './effect-statement.js'
import { endAs, type GateCase, type GatePorts, pass, type Stage } from './gate-case.js'
import { type Identity, isWhole } from './identity.js'
import { denied } from './outcome.js'
import { askForChain } from './policy.js'
import type { Run } from './run.js'

/** Who is behind the run, now; undefined where nobody is proven, or not wholly. */
export const identifyNow = async (run: Run): Promise<Identity | undefined> => {
  try {
    const identity = await run.identify()
    return identity !== undefined && isWhole(identity) ? identity : undefined
  } catch {
    return undefined
  }
}

/** Identity and policy: who it is, and whether the rules in force let it. */
export const decideCase = ({ policy, secrets }: GatePorts, given: GateCase): Stage => {
  const { identity, request, resource, statement } = given
  if (identity === undefined) return endAs(given, denied('identity_missing'))
  if (secrets.isIn({ ...request })) return endAs(given, denied('credential_in_request'))
  if (resource === undefined) return endAs(given, denied('resource_unknown'))
  const rules = policy.current()
  const { purpose, classification, recipients } = statement
  const { action } = EFFECTS[statement.effect]
  const question = { principal: identity.principal, action, resource, purpose, classification, recipients }
  const answer = askForChain(rules, question, identity.delegation)
  const at = { ...given, answer, bundleHash: rules.bundleHash }
  return answer.decision === 'deny' ? endAs(at, denied('policy_denied')) : pass(at)
}

/** The same after a wait: whoever asked must be who asks now, and the rules in force now must still let it. */
export const decideAgain = async (ports: GatePorts, given: GateCase): Promise<Stage> => {
  const identity = await identifyNow(given.run)
  const statement = stateEffect(given.statement.effect_id, given.request, identity)
  const isTheSame = effectDigest(statement) === given.digest
  return isTheSame ? decideCase(ports, { ...given, identity }) : endAs(given, denied('identity_missing'))
}
