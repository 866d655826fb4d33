import fc from 'fast-check'
import type { JsonObject, JsonValue } from '@parley/protocol'

const scalar = fc.oneof(
  fc.constantFrom<JsonValue>(
    null,
    true,
    false,
    0,
    1,
    -1,
    7,
    9_007_199_254_740_991,
    '',
    'a',
    '1',
    'é',
    '"\\\n',
    '😀',
    '\u0001',
  ),
  fc.string({ maxLength: 3, unit: 'grapheme' }),
  fc.integer({ min: -5, max: 5 }),
)

const name = fc.constantFrom('a', 'b', 'c', 'é', 'a/b', '~', '__proto__', 'constructor', '10', '9')

const constSchema = scalar.map((value) => ({ const: value }))
const enumSchema = fc
  .uniqueArray(scalar, { minLength: 1, maxLength: 4, selector: (value) => JSON.stringify(value) })
  .map((values) => ({ enum: values }))
const integerSchema = fc
  .record({ low: fc.integer({ min: -4, max: 4 }), width: fc.integer({ min: 0, max: 3 }), form: fc.nat(3) })
  .map(({ low, width, form }) => ({
    type: 'integer',
    ...(form % 2 === 0 ? { minimum: low } : { exclusiveMinimum: low - 1 }),
    ...(form < 2 ? { maximum: low + width } : { exclusiveMaximum: low + width + 1 }),
  }))

const arraySchema = (items: fc.Arbitrary<JsonObject>) =>
  fc
    .record({ items, fewest: fc.nat(2), more: fc.nat(2), unique: fc.boolean() })
    .map(({ items, fewest, more, unique }) => ({
      type: 'array',
      items,
      maxItems: fewest + more,
      ...(fewest > 0 ? { minItems: fewest } : {}),
      ...(unique ? { uniqueItems: true } : {}),
    }))

const objectSchema = (member: fc.Arbitrary<JsonObject>) =>
  fc
    .uniqueArray(fc.record({ name, member, required: fc.boolean() }), {
      maxLength: 3,
      selector: (m) => m.name,
    })
    .map((members) => ({
      type: 'object',
      properties: Object.fromEntries(members.map(({ name, member }) => [name, member])),
      required: members.filter(({ required }) => required).map(({ name }) => name),
      additionalProperties: false,
    }))

/** Small schemas of the whole output family; some admit nothing. */
export const arbitrarySchema: fc.Arbitrary<JsonObject> = fc.letrec<{ schema: JsonObject }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'schema' },
    constSchema,
    enumSchema,
    integerSchema,
    fc.constant({ type: 'boolean' }),
    fc.constant({ type: 'null' }),
    arraySchema(tie('schema')),
    objectSchema(tie('schema')),
  ),
})).schema

/** Values that are often nearly admitted: of the same names, scalars and lengths. */
export const arbitraryValue: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'value' },
    scalar,
    fc.double({ noNaN: true, noDefaultInfinity: true, min: -5, max: 5 }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(name, tie('value')), { maxLength: 3 }).map((members) => Object.fromEntries(members)),
  ),
})).value
