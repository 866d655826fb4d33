import type { Policy, PolicyQuestion } from '@parley/guardian'
import { loadCedarPolicy } from '@parley/guardian/cedar'
import type { ProfileName } from '@parley/protocol'
import type { PolicyBundle } from '../policy-bundle.js'
import { putLast } from '../put-last.js'
import { parsedOr } from './policy-files.js'

const REMEMBERED_DECISIONS = 256
const REMEMBERED_POLICIES = 4

const loaded = new Map<string, Policy>()

/**
 * The Cedar rules of a bundle, which decide on every effect of its relay. The only file of this room that knows Cedar;
 * whoever imports it waits for the engine to be compiled, which a relay does at its start and nobody else has to.
 * @throws RelayError `policy_malformed` on what is not Cedar, is not valid under its schema, or is not there
 * @see protocol SPEC "Effect gate"
 */
export const loadEffectPolicy = ({ hash, cedar }: PolicyBundle<ProfileName>): Policy => {
  const policy = loaded.get(hash) ?? remembering(parsedOr('cedar', () => loadCedarPolicy(cedar, hash)))
  putLast(loaded, hash, policy, REMEMBERED_POLICIES)
  return policy
}

/** The rules never change and see nothing but the question: the same question has the same answer. */
const remembering = (policy: Policy): Policy => {
  const known = new Map<string, ReturnType<Policy['decide']>>()
  const decide = (question: PolicyQuestion): ReturnType<Policy['decide']> => {
    const key = JSON.stringify(question)
    const answer = known.get(key) ?? policy.decide(question)
    putLast(known, key, answer, REMEMBERED_DECISIONS)
    return answer
  }
  return { bundleHash: policy.bundleHash, decide }
}
