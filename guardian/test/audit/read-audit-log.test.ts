import { AUDIT_GENESIS, MerkleTree, auditEntryHash, auditLeaf } from '@parley/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isErased, parseAuditRecord, readAuditLog } from '../../src/audit/index.js'
import { erased, LANE, logOf, sent, without } from './log.js'

const tasks = ['one', 'two', 'three', 'four']
const events = tasks.map(sent)

describe.each([
  ['with salts', true],
  ['without', false],
])('a log %s', (_, salted) => {
  const lines = logOf(events, salted)

  test('holds, and its tree is over the leaves of its entries', () => {
    const { records, tree, next, fault } = readAuditLog(LANE, lines)
    expect(fault).toBeNull()
    const leaves = records.map((record) => (isErased(record) ? new Uint8Array() : auditLeaf(LANE, record)))
    expect(tree.root()).toEqual(new MerkleTree(leaves).root())
    const last = records[3]
    if (last === undefined || isErased(last)) throw new Error('no entry')
    expect(next).toEqual({ seq: 4, previous: auditEntryHash(LANE, last.entry) })
  })

  test.each<[string, (lines: readonly string[]) => readonly (string | undefined)[], string, number]>([
    ['changed', ([a, b = '', c, d]) => [a, b.replace('two', 'owt'), c, d], 'link_broken', 2],
    ['removed', ([a, , c, d]) => [a, c, d], 'sequence_broken', 1],
    ['removed at the start', ([, b, c]) => [b, c], 'sequence_broken', 0],
    ['put in twice', ([a, b, c]) => [a, b, b, c], 'sequence_broken', 2],
    ['moved', ([a, b, c]) => [a, c, b], 'sequence_broken', 1],
    [
      'of another log',
      ([a, b, c]) => [a, b, logOf([sent('x'), sent('y'), sent('z')], salted)[2], c],
      'link_broken',
      2,
    ],
    ['with a member more', ([a = '']) => [a.replace('{', '{"a":1,')], 'record_malformed', 0],
    ['that is no JSON', ([a]) => [a, 'x'], 'record_malformed', 1],
    ['with another spelling', ([a = '']) => [` ${a}`], 'record_malformed', 0],
  ])('A2A-46: with an entry %s is refused', (_case, change, code, seq) => {
    const changed = change(lines).map((line) => line ?? '')
    expect(readAuditLog(LANE, changed).fault).toEqual({ code, seq })
  })

  test('A2A-46: whatever octet is changed, it or its root is another', () => {
    const { tree } = readAuditLog(LANE, lines)
    const text = lines.join('\n')
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.integer({ min: 32, max: 126 }), (at, code) => {
        const octet = String.fromCharCode(code)
        fc.pre(text[at] !== octet)
        const changed = readAuditLog(LANE, `${text.slice(0, at)}${octet}${text.slice(at + 1)}`.split('\n'))
        expect(changed.fault !== null || changed.tree.root().join() !== tree.root().join()).toBe(true)
      }),
    )
  })

  test('is of its lane alone', () => {
    expect(readAuditLog('confidential', lines).fault).toMatchObject({ code: 'link_broken' })
  })

  test('of which an entry is erased has the same tree, and goes on, once the erasure is recorded', () => {
    const told = logOf([...events, erased(1)], salted)
    const after = without(told, 1)
    const reading = readAuditLog(LANE, after)
    expect(reading.fault).toBeNull()
    expect(reading.tree.root()).toEqual(readAuditLog(LANE, told).tree.root())
    expect(after[1]).not.toContain('two')
    expect(reading.next.seq).toBe(5)
  })

  test('A2A-46: an erasure that nobody recorded is refused', () => {
    expect(readAuditLog(LANE, without(lines, 1)).fault).toEqual({ code: 'erasure_unrecorded', seq: 4 })
    const one = without(without(logOf([...events, erased(1)], salted), 1), 2)
    expect(readAuditLog(LANE, one).fault).toEqual({ code: 'erasure_unrecorded', seq: 5 })
  })

  test('A2A-46: a hash put in the place of an erased entry does not fit the next one', () => {
    const other = without(logOf(['x', 'y', 'z'].map(sent), salted), 1)[1] ?? ''
    const told = [...logOf([...events, erased(1)], salted)]
    told[1] = other
    expect(readAuditLog(LANE, told).fault).toEqual({ code: 'link_broken', seq: 2 })
  })
})

test('an empty log holds', () => {
  expect(readAuditLog(LANE, [])).toMatchObject({ fault: null, next: { seq: 0, previous: AUDIT_GENESIS } })
})

test('no line makes the reader throw', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (line) => {
      expect(readAuditLog(LANE, [line]).fault).toEqual({ code: 'record_malformed', seq: 0 })
    }),
  )
})

test.each([
  '{"entry_hash":"00","leaf_hash":"00"}',
  `{"entry_hash":"${'0'.repeat(64)}"}`,
  `{"entry_hash":"${'0'.repeat(64)}","leaf_hash":"${'0'.repeat(64)}","more":1}`,
  '{"entry":{},"salt":null}',
  '[]',
])('%s is no record', (line) => {
  expect(() => parseAuditRecord(line)).toThrow(expect.objectContaining({ name: 'ProtocolError' }))
})
