import {
  preparsePolicySet,
  preparseSchema,
  validate,
  type ValidationAnswer,
} from '@cedar-policy/cedar-wasm/nodejs'
import type { Policy } from '@parley/guardian'
import { hash, ProtocolError } from '@parley/protocol'
import { decideByCedar } from './decide-by-cedar.js'
import { readCedarTexts } from './read-rules.js'

/** A policy whose rules are Cedar's, and the text of each rule by its id. */
export type CedarPolicy = Policy & { readonly rules: ReadonlyMap<string, string> }

/**
 * Loads the Cedar rules of a policy bundle. They are checked against the schema here, and parsed once.
 * @param files the bundle's files by path: `cedar/schema.cedarschema`, and rules in `cedar/NAME.cedar`, each with an
 * `@id("…")` of its own
 * @param bundleHash the digest of the whole bundle, which every decision names
 * @throws ProtocolError `object_malformed` on what is not Cedar, a template, a rule without an id or with another's, an
 * unknown type, attribute or action, and a rule that can never apply
 * @see SPEC "Effect gate"
 */
export const loadCedarPolicy = (files: ReadonlyMap<string, Uint8Array>, bundleHash: string): CedarPolicy => {
  const { schema, rules } = readCedarTexts(files)
  const policies = { staticPolicies: Object.fromEntries(rules) }
  refuseInvalid(validate({ schema, policies, validationSettings: { mode: 'strict' } }))
  // The engine keeps parsed sets by name, and never forgets one: equal texts share a name.
  const name = hash({ schema, rules: policies.staticPolicies })
  for (const parsed of [preparseSchema(name, schema), preparsePolicySet(name, policies)])
    if (parsed.type === 'failure') throw new ProtocolError('object_malformed', 'Cedar rules: not parsed')
  return { bundleHash, rules, decide: (question) => decideByCedar(name, question) }
}

const refuseInvalid = (answer: ValidationAnswer): void => {
  if (answer.type === 'failure')
    throw new ProtocolError(
      'object_malformed',
      `Cedar: ${answer.errors.map(({ message }) => message).join('; ')}`,
    )
  const [found] = [...answer.validationErrors, ...answer.validationWarnings]
  if (found !== undefined)
    throw new ProtocolError('object_malformed', `Cedar rule ${found.policyId}: ${found.error.message}`)
  if (answer.otherWarnings.length > 0)
    throw new ProtocolError('object_malformed', 'Cedar schema: has a warning')
}
