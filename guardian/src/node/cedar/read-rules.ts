import { policySetTextToParts, policyToJson } from '@cedar-policy/cedar-wasm/nodejs'
import { fromUtf8, ProtocolError } from '@parley/protocol'

const SCHEMA = 'cedar/schema.cedarschema'
const RULES = /^cedar\/[a-z0-9-]{1,64}\.cedar$/
const RULE_ID = /^[a-z0-9-]{1,64}$/

/** The Cedar part of a policy bundle as texts. */
export type CedarTexts = { readonly schema: string; readonly rules: ReadonlyMap<string, string> }

/**
 * Takes schema and rules from the files of a bundle.
 * @param files by path; others than `cedar/…` are passed over
 * @throws ProtocolError `object_malformed`, naming the file
 */
export const readCedarTexts = (files: ReadonlyMap<string, Uint8Array>): CedarTexts => {
  const schema = files.get(SCHEMA)
  if (schema === undefined) throw new ProtocolError('object_malformed', `${SCHEMA}: missing`)
  const rules = new Map<string, string>()
  for (const path of [...files.keys()].filter((known) => RULES.test(known)).sort())
    for (const [id, text] of rulesOf(path, fromUtf8(files.get(path) ?? new Uint8Array()))) {
      if (rules.has(id)) throw new ProtocolError('object_malformed', `${path}: rule ${id} is there twice`)
      rules.set(id, text)
    }
  return { schema: fromUtf8(schema), rules }
}

const rulesOf = (path: string, text: string): readonly (readonly [string, string])[] => {
  const parts = policySetTextToParts(text)
  if (parts.type === 'failure') throw new ProtocolError('object_malformed', `${path}: not Cedar`)
  // What a template permits is decided by links, and no file of the bundle holds any.
  if (parts.policy_templates.length > 0)
    throw new ProtocolError('object_malformed', `${path}: holds a template`)
  return parts.policies.map((rule) => [idOf(path, rule), rule])
}

// A decision names its rules: numbers would change their meaning with every edit.
const idOf = (path: string, rule: string): string => {
  const parsed = policyToJson(rule)
  const id = parsed.type === 'success' ? parsed.json.annotations?.['id'] : undefined
  if (id === undefined || !RULE_ID.test(id))
    throw new ProtocolError(
      'object_malformed',
      `${path}: a rule has no @id of small letters, digits and hyphens`,
    )
  return id
}
