import { isJsonArray, type JsonValue } from '@parley/protocol'
import type { OutputShape } from '../capacity/output-shape.js'
import { foldText, gramsOf, readingsOf } from './canary-text.js'
import { freeStrings } from './free-strings.js'
import type { GuardianPolicy } from './guardian-policy.js'

/** An admitted output, and what it came from. */
export type OutputWithInputs = {
  readonly policy: GuardianPolicy
  readonly shape: OutputShape
  readonly output: JsonValue
  readonly inputs: readonly JsonValue[]
}

/** The least number of characters of which a policy lets none through together; null where it has no canary rule. */
export const canaryLength = ({ rules }: GuardianPolicy): number | null => {
  const lengths = rules.flatMap((rule) => (rule.type === 'canary_reject' ? [rule.min_characters] : []))
  return lengths.length === 0 ? null : Math.min(...lengths)
}

/**
 * Whether an output passes a policy's canary rules: no string that its schema leaves free, nor all of them in a row,
 * spells in any reading so many characters that stand together in an input's text. The answer depends on the inputs: it is an outcome.
 */
export const passesCanaryRules = ({ policy, shape, output, inputs }: OutputWithInputs): boolean => {
  const length = canaryLength(policy)
  if (length === null) return true
  const told = new Set<string>()
  const strings = freeStrings(shape.root, output)
  // Together, too: a list of letters spells what a text would.
  for (const text of [...strings, strings.join('')].flatMap(readingsOf))
    for (const gram of gramsOf(text, length)) told.add(gram)
  return told.size === 0 || !inputs.some((input) => textsOf(input).some((text) => isTold(told, text, length)))
}

const isTold = (told: ReadonlySet<string>, text: string, length: number): boolean => {
  for (const read of [text, foldText(text)])
    for (const gram of gramsOf(read, length)) if (told.has(gram)) return true
  return false
}

/** All text of an input: strings, numbers as JSON writes them, and names, which an input without a schema may choose. */
const textsOf = (value: JsonValue): readonly string[] => {
  if (typeof value === 'string') return [value]
  if (typeof value === 'number') return [String(value)]
  if (typeof value !== 'object' || value === null) return []
  if (isJsonArray(value)) return value.flatMap(textsOf)
  return Object.entries(value).flatMap(([name, member]) => [name, ...textsOf(member)])
}
