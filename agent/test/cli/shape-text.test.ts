import { compileOutputSchema } from '@parley/guardian'
import type { JsonObject } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { outputLines } from '../../src/cli/shape-text.js'

const linesOf = (schema: JsonObject): readonly string[] => {
  const compiled = compileOutputSchema(schema)
  if (!compiled.ok) throw new Error(`${compiled.code} ${compiled.pointer}`)
  return outputLines(compiled.shape)
}

const tagged = (tag: string, inner: JsonObject): JsonObject => ({
  type: 'object',
  properties: { tag: { const: tag }, inner },
  required: ['tag', 'inner'],
  additionalProperties: false,
})

/** A schema of a few kilobytes whose outputs, written out one by one, no memory holds. */
const shared = (levels: number): JsonObject => ({
  $defs: Object.fromEntries<JsonObject>([
    ['level0', { type: 'boolean' }],
    ...Array.from({ length: levels }, (_, at): [string, JsonObject] => [
      `level${at + 1}`,
      {
        oneOf: [tagged('a', { $ref: `#/$defs/level${at}` }), tagged('b', { $ref: `#/$defs/level${at}` })],
      },
    ]),
  ]),
  type: 'object',
  properties: { deep: { $ref: `#/$defs/level${levels}` } },
  required: ['deep'],
  additionalProperties: false,
})

describe('what is shown of an output', () => {
  it('is each member with its values, and whether it may be left out', () => {
    const schema = {
      type: 'object',
      properties: {
        fits: { enum: ['NO', 'YES'] },
        marks: { type: 'integer', minimum: 0, maximum: 10, multipleOf: 5 },
      },
      required: ['fits'],
      additionalProperties: false,
    }
    expect([...linesOf(schema)].sort()).toEqual([
      'fits: "NO" "YES"',
      'marks: an integer from 0 to 10, a multiple of 5, or left out',
    ])
  })

  it('is bounded where shared definitions would make it longer than any memory', () => {
    const [line] = linesOf(shared(25))
    expect(line).toMatch(/^deep: .*\.\.\.$/)
    expect(line?.length).toBeLessThan(1100)
  })
})
