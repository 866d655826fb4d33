import type { JsonObject, JsonValue } from '@parley/protocol'
import fc from 'fast-check'
import { arbitraryPattern, LONGEST_TEXT } from './arbitrary-pattern.js'

/** The two dialects differ in how they list items. */
export type Written = '2020-12' | 'draft-07'

const DIALECTS: Readonly<Record<Written, string>> = {
  '2020-12': 'https://json-schema.org/draft/2020-12/schema',
  'draft-07': 'http://json-schema.org/draft-07/schema#',
}
const NAMES = ['a', 'b', 'c']

const value = fc.constantFrom<JsonValue>(
  null,
  true,
  0,
  1,
  2,
  3,
  'a',
  'ab',
  'b',
  [],
  [1],
  { a: 1 },
  { a: 1, b: [] },
)
const values = fc.uniqueArray(value, { minLength: 1, maxLength: 4, selector: (v) => JSON.stringify(v) })
const optional = <T>(name: string, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<Record<string, T>> =>
  fc.oneof(
    fc.constant({}),
    fc.constant({}),
    arbitrary.map((v) => ({ [name]: v })),
  )
const joined = (...parts: readonly fc.Arbitrary<object>[]): fc.Arbitrary<JsonObject> =>
  fc.tuple(...parts).map((all) => Object.assign({}, ...all) as JsonObject)

const bounds = joined(
  fc.oneof(
    fc.integer({ min: -4, max: 4 }).map((n) => ({ minimum: n })),
    fc.integer({ min: -4, max: 4 }).map((n) => ({ exclusiveMinimum: n })),
  ),
  fc.oneof(
    fc.integer({ min: -2, max: 8 }).map((n) => ({ maximum: n })),
    fc.integer({ min: -2, max: 8 }).map((n) => ({ exclusiveMaximum: n })),
  ),
  optional('multipleOf', fc.integer({ min: 1, max: 4 })),
)
const lengths = joined(optional('minLength', fc.nat(2)), optional('maxLength', fc.nat(3)))
const texts = fc.tuple(arbitraryPattern, lengths).map(([{ text, longest }, limits]) => ({
  pattern: text,
  ...(longest > LONGEST_TEXT ? { maxLength: LONGEST_TEXT } : {}),
  ...limits,
}))

const typed = (type: JsonValue, rest: fc.Arbitrary<object>) => rest.map((more) => ({ type, ...more }))

const leaf: fc.Arbitrary<JsonObject> = fc.oneof(
  value.map((v) => ({ const: v })),
  values.map((v) => ({ enum: v })),
  fc.constant({ type: 'boolean' }),
  fc.constant({ type: ['null', 'boolean'] }),
  typed('integer', bounds),
  typed(['integer', 'null'], bounds),
  typed('string', texts),
  typed(['string', 'null'], texts),
  // Candidates, of which other keywords choose.
  joined(
    values.map((v) => ({ enum: v })),
    optional('type', fc.constantFrom('string', ['integer', 'array'], 'number')),
    optional('minimum', fc.nat(2)),
    optional('maxLength', fc.nat(2)),
    optional('maxItems', fc.nat(1)),
    optional('required', fc.constant(['b'])),
  ),
)

const arrays = (written: Written, inner: fc.Arbitrary<JsonObject>) => {
  const [list, rest] = written === '2020-12' ? ['prefixItems', 'items'] : ['items', 'additionalItems']
  const limits = joined(
    fc.nat(3).map((n) => ({ maxItems: n })),
    optional('minItems', fc.nat(2)),
    optional('uniqueItems', fc.boolean()),
  )
  const prefix = fc.array(
    fc.oneof({ weight: 9, arbitrary: inner }, { weight: 1, arbitrary: fc.constant(false) }),
    { minLength: 1, maxLength: 2 },
  )
  return fc.oneof(
    typed(
      'array',
      joined(
        inner.map((items) => ({ items })),
        limits,
      ),
    ),
    typed(
      'array',
      joined(
        prefix.map((items) => ({ [list]: items, [rest]: false })),
        optional('minItems', fc.nat(2)),
        optional('uniqueItems', fc.boolean()),
      ),
    ),
    typed(
      'array',
      joined(
        fc.tuple(prefix, inner).map(([items, more]) => ({ [list]: items, [rest]: more })),
        limits,
      ),
    ),
  )
}

const objects = (written: Written, inner: fc.Arbitrary<JsonObject>) => {
  const member = fc.oneof({ weight: 9, arbitrary: inner }, { weight: 1, arbitrary: fc.constant(false) })
  const names = fc.uniqueArray(fc.constantFrom(...NAMES), { maxLength: 2 })
  return typed(
    'object',
    joined(
      fc
        .dictionary(fc.constantFrom(...NAMES), member, { maxKeys: 3, noNullPrototype: true })
        .map((properties) => ({ properties })),
      fc.constant({ additionalProperties: false }),
      optional('required', names),
      optional('minProperties', fc.nat(2)),
      optional('maxProperties', fc.nat(2)),
      ...(written === '2020-12'
        ? [
            optional(
              'dependentRequired',
              fc.dictionary(fc.constantFrom(...NAMES), names, { maxKeys: 2, noNullPrototype: true }),
            ),
          ]
        : []),
    ),
  )
}

/** Parts that constrain only together with others. */
const partial = (inner: fc.Arbitrary<JsonObject>): fc.Arbitrary<JsonObject> =>
  fc.oneof(
    inner,
    fc.constantFrom<JsonObject>(
      { type: 'integer' },
      { type: 'string' },
      { type: 'object' },
      { required: ['a'] },
      { maxProperties: 1 },
      { uniqueItems: true },
      { minimum: 1 },
      { multipleOf: 2 },
    ),
    inner.map((a) => ({ properties: { a } })),
    values.map((v) => ({ enum: v })),
  )

const combined = (written: Written, inner: fc.Arbitrary<JsonObject>, targets: readonly string[]) => {
  const parts = fc.array(partial(inner), { minLength: 1, maxLength: 3 })
  const target = targets.length === 0 ? inner : fc.constantFrom(...targets).map(($ref) => ({ $ref }))
  return fc.oneof(
    target,
    parts.map((oneOf) => ({ oneOf })),
    parts.map((anyOf) => ({ anyOf })),
    fc.tuple(inner, parts).map(([base, allOf]) => ({ ...base, allOf })),
    fc.tuple(inner, parts).map(([base, oneOf]) => ({ ...base, oneOf })),
    // Draft-07 ignores what stands beside a reference.
    written === '2020-12'
      ? fc.tuple(partial(inner), target).map(([base, ref]) => ({ ...base, ...ref }))
      : target,
  ) as fc.Arbitrary<JsonObject>
}

const referringTo = (written: Written, targets: readonly string[]): fc.Arbitrary<JsonObject> =>
  fc.letrec<{ schema: JsonObject }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 3, depthIdentifier: 'family' },
      leaf,
      arrays(written, tie('schema')),
      objects(written, tie('schema')),
      combined(written, tie('schema'), targets),
    ),
  })).schema

/** Schemas of the whole family that is counted, and some beside it. What they admit is small. */
export const arbitraryFamily = (written: Written): fc.Arbitrary<JsonObject> =>
  fc
    .record({
      root: referringTo(written, ['#/$defs/x', '#/$defs/y']),
      x: referringTo(written, ['#/$defs/y']),
      y: referringTo(written, []),
    })
    .map(({ root, x, y }) => ({ ...root, $schema: DIALECTS[written], $defs: { x, y } }))
