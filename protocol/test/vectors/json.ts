import { expect } from 'vitest'
import { canonicalize } from '../../src/canonicalize.js'
import { parseCanonicalJson, parseJson } from '../../src/parse-json.js'
import { codeOf } from '../code-of.js'
import type { Consumer } from './vector.js'

const doubleOf = (hex: string): number => Buffer.from(hex, 'hex').readDoubleBE()

const numbers: Consumer = ({ text }) => {
  for (const row of text('numbers.txt').trim().split('\n')) {
    const [bits = '', wanted = ''] = row.split(' ')
    if (wanted === 'json_malformed') expect(codeOf(() => canonicalize(doubleOf(bits)))).toBe(wanted)
    else expect(canonicalize(doubleOf(bits))).toBe(wanted)
  }
}

const jcs: Consumer = ({ text, bytes }) => {
  const canonical = text('canonical.json')
  expect(canonicalize(parseJson(bytes('input.json')))).toBe(canonical)
  expect(canonicalize(parseCanonicalJson(canonical))).toBe(canonical)
  expect(codeOf(() => parseCanonicalJson(bytes('input.json')))).toBe('json_not_canonical')
}

const refused: Consumer = ({ expected, bytes }) => {
  expect(codeOf(() => parseJson(bytes('input.json')))).toBe(expected['code'])
  expect(codeOf(() => parseCanonicalJson(bytes('input.json')))).not.toBe('accepted')
}

export const jsonConsumers: Record<string, Consumer> = { 'jcs-numbers': numbers, jcs, json: refused }
