import fc from 'fast-check'
import { type JsonObject, type JsonValue, ProtocolError } from '@parley/protocol'
import { expect, test } from 'vitest'
import { parseEnginePolicy, WIDEST_MATRIX } from '../../src/index.js'
import { ENGINES } from './policies.js'

const malformed = expect.objectContaining({ code: 'object_malformed' }) as Error
const matrix = (change: object): JsonValue => ({ ...WIDEST_MATRIX, ...change })

test('the shipped engines are read, and their matrix is the widest', () => {
  expect(parseEnginePolicy(ENGINES).matrix).toEqual(WIDEST_MATRIX)
})

test('a narrower matrix is read', () => {
  const narrow = { localities: ['local'], egress: ['none'] }
  const change = { CONFIDENTIAL: narrow, SECRET: { localities: [], egress: [] } }
  expect(parseEnginePolicy({ ...ENGINES, matrix: matrix(change) }).matrix.CONFIDENTIAL).toEqual(narrow)
})

test.each<[string, JsonObject]>([
  ['SECRET in a cloud', { SECRET: { localities: ['local', 'eu_cloud'], egress: ['none'] } }],
  ['SECRET with egress', { SECRET: { localities: ['local'], egress: ['none', 'local'] } }],
  ['CONFIDENTIAL elsewhere', { CONFIDENTIAL: { localities: ['us_cloud'], egress: ['external'] } }],
  ['CONFIDENTIAL anywhere', { CONFIDENTIAL: WIDEST_MATRIX.PUBLIC }],
  ['more for INTERNAL than for PUBLIC', { PUBLIC: { localities: ['local'], egress: ['none'] } }],
  ['a locality twice', { PUBLIC: { ...WIDEST_MATRIX.PUBLIC, localities: ['local', 'local'] } }],
  ['an unknown locality', { PUBLIC: { localities: ['mars'], egress: ['none'] } }],
  ['an unknown egress', { PUBLIC: { localities: ['local'], egress: ['all'] } }],
  ['an unknown label', { TOP_SECRET: { localities: [], egress: [] } }],
])('A2A-28: a matrix with %s is refused', (_, change) => {
  expect(() => parseEnginePolicy({ ...ENGINES, matrix: matrix(change) })).toThrow(malformed)
})

test.each(['PUBLIC', 'INTERNAL', 'CONFIDENTIAL', 'SECRET'])('a matrix without %s is refused', (label) => {
  const { [label as 'PUBLIC']: _left, ...rest } = WIDEST_MATRIX
  expect(() => parseEnginePolicy({ ...ENGINES, matrix: rest as unknown as JsonValue })).toThrow(malformed)
})

test.each<[string, JsonObject]>([
  ['another version', { version: 'parley-engines-v2' }],
  ['a member more', { comment: 'x' }],
  ['an engine twice', { engines: [row('cel'), row('cel')] }],
  ['an engine in a cloud that sends nothing there', { engines: [row('cel', { locality: 'eu_cloud' })] }],
  ['an engine of an unknown place', { engines: [row('cel', { locality: 'moon' })] }],
  ['an engine whose name is not one', { engines: [row('Cel ')] }],
  ['an engine with a member more', { engines: [row('cel', { note: 1 })] }],
  ['an allowed engine that is none', { allowed_engines: ['cell'] }],
  ['a forbidden engine that is none', { forbid_engines: ['cell'] }],
  ['an engine both allowed and forbidden', { forbid_engines: ['cel'] }],
  ['an engine allowed twice', { allowed_engines: ['cel', 'cel'] }],
])('A2A-27: engines with %s are refused', (_, change) => {
  expect(() => parseEnginePolicy({ ...ENGINES, ...change })).toThrow(malformed)
})

test.each(Object.keys(ENGINES))('engines without %s are refused', (member) => {
  const { [member]: _left, ...rest } = ENGINES
  expect(() => parseEnginePolicy(rest)).toThrow(malformed)
})

test('whatever is read as engines, nothing but a ProtocolError is thrown', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(...Object.keys(ENGINES)), (value, member) => {
      for (const read of [value, { ...ENGINES, [member]: value }])
        try {
          parseEnginePolicy(read as JsonValue)
        } catch (error) {
          expect(error).toBeInstanceOf(ProtocolError)
        }
    }),
  )
})

function row(id: string, change: object = {}): JsonObject {
  return { id, locality: 'local', egress: 'none', ...change }
}
