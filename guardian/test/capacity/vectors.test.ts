import { readdirSync, readFileSync } from 'node:fs'
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '@parley/protocol'
import { describe, expect, test } from 'vitest'
import { agentVaultBits, compileOutputSchema } from '../../src/index.js'

const FOLDER = new URL('../../vectors/capacity/', import.meta.url)
const read = (name: string): JsonValue => parseJson(readFileSync(new URL(`${name}.json`, FOLDER)))

const expected = read('expect')
if (!isJsonObject(expected)) throw new Error('expect.json holds no object')
const cases = Object.entries(expected) as [string, JsonObject][]

const outcomeOf = (schema: JsonValue) => {
  const compiled = compileOutputSchema(schema)
  if (!compiled.ok) return { code: compiled.code, pointer: compiled.pointer }
  return {
    outputs: compiled.shape.outputs.toString(),
    max_output_bytes: compiled.shape.maxOutputBytes,
    agentvault_bits: agentVaultBits(schema),
  }
}

describe('the vectors of capacity', () => {
  test('are all files of their folder, and hold more refusals than counts', () => {
    const named = [...cases.map(([name]) => `${name}.json`), 'SOURCE.md', 'expect.json']
    expect(readdirSync(FOLDER).sort()).toEqual(named.sort())
    expect(cases.filter(([, outcome]) => 'outputs' in outcome).length * 2).toBeLessThan(cases.length)
  })

  test.each(cases)('%s', (name, outcome) => {
    expect(outcomeOf(read(name))).toEqual(outcome)
  })
})
