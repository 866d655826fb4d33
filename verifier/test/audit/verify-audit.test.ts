import { describe, expect, test } from 'vitest'
import { auditText, type Held, verifyAudit } from '../../src/audit/index.js'
import { KEYS } from '../minted-bundle.js'
import { checkpointOf, heldCheckpoint, heldEntry, heldGrowth, LANE, logOf, ORIGIN } from './log.js'

const honest = logOf(['a', 'b', 'c', 'd', 'e'])
const forked = logOf(['a', 'b', 'x', 'y', 'z'])
const verify = (held: readonly Held[], lines: readonly string[] | null = null) =>
  verifyAudit({
    lane: LANE,
    origin: ORIGIN,
    key: KEYS.log.publicKey,
    log: lines === null ? null : { name: 'log', lines },
    held,
  })
const codes = (report: ReturnType<typeof verify>) =>
  report.checks.flatMap(({ check, code }) => (code === null ? [] : [`${check}: ${code}`]))

describe('a log that only grew', () => {
  test('holds with every checkpoint, entry and proof of growth that there was of it', () => {
    const held = [1, 2, 3, 4, 5].flatMap((size) => [
      heldCheckpoint(`checkpoint ${size}`, honest, size),
      heldEntry(`entry ${size - 1}`, honest, size - 1, size),
      heldGrowth(`growth ${size}`, honest, size),
    ])
    expect(verify(held, honest)).toMatchObject({ holds: true, exit_code: 0, size: 5, forks: [] })
    expect(verify(held)).toMatchObject({ holds: true, exit_code: 0, size: null, forks: [] })
  })
})

describe('A2A-46: a log is refused', () => {
  const whole = heldCheckpoint('whole', honest)
  test.each<[string, readonly (string | undefined)[], readonly string[]]>([
    ['that was cut short', honest.slice(0, 4), ['in_log: log_truncated']],
    ['of which nothing is left', [], ['in_log: log_truncated']],
    ['that was written anew from the third entry on', forked, ['in_log: log_differs']],
    [
      'with an entry removed',
      [...honest.slice(0, 2), ...honest.slice(3)],
      ['chain: sequence_broken', 'in_log: log_truncated'],
    ],
    [
      'with an entry changed',
      honest.map((line) => line.replace('"c"', '"k"')),
      ['chain: link_broken', 'in_log: log_truncated'],
    ],
  ])('%s', (_, lines, expected) => {
    const report = verify(
      [whole],
      lines.map((line) => line ?? ''),
    )
    expect(codes(report)).toEqual(expected)
    expect(report.exit_code).toBe(4)
  })

  test('whose last entry was changed, which its chain alone does not show', () => {
    const changed = honest.map((line) => line.replace('"e"', '"k"'))
    expect(verify([], changed).holds).toBe(true)
    expect(codes(verify([whole], changed))).toEqual(['in_log: log_differs'])
  })

  test('with a line that is no record, as malformed', () => {
    expect(verify([whole], [...honest, 'x']).exit_code).toBe(5)
  })
})

describe('a fork between what two participants hold', () => {
  test('is found in two checkpoints of one size, and shown with both', () => {
    const [one, other] = [heldCheckpoint('alice', honest), heldCheckpoint('bob', forked)]
    const report = verify([one, other])
    expect(codes(report)).toEqual(['one_log: fork'])
    expect(report).toMatchObject({ exit_code: 4, forks: [{ why: 'two roots over 5 entries' }] })
    const text = auditText(report)
    for (const { checkpoint } of [one, other])
      for (const line of checkpoint.split('\n').slice(0, 3)) expect(text).toContain(line)
  })

  test('is found in two entries in one place under checkpoints of different sizes', () => {
    const report = verify([heldEntry('alice', honest, 2, 3), heldEntry('bob', forked, 2, 5)])
    expect(report.forks).toMatchObject([{ why: 'two entries in place 2' }])
  })

  test('is found where one of the two is the beginning of a proof of growth', () => {
    const report = verify([heldGrowth('alice', honest, 3), heldCheckpoint('bob', forked, 3)])
    expect(report.forks).toMatchObject([{ one: { name: 'alice (first)' }, other: { name: 'bob' } }])
  })

  test('is found by the log where their sizes differ', () => {
    const held = [heldCheckpoint('alice', honest, 3), heldCheckpoint('bob', forked, 4)]
    expect(verify(held).forks).toEqual([])
    expect(codes(verify(held, honest))).toEqual(['in_log: log_differs'])
    expect(codes(verify(held, forked))).toEqual(['in_log: log_differs'])
  })

  test('is not charged to a key by what it did not sign', () => {
    const stranger = { ...heldCheckpoint('bob', forked), checkpoint: checkpointOf(forked, 5, KEYS.stranger) }
    const report = verify([heldCheckpoint('alice', honest), stranger])
    expect(report).toMatchObject({ exit_code: 2, forks: [] })
    expect(codes(report)).toEqual(['checkpoint: signature_invalid'])
  })

  test('is not charged by an entry that is not proven to be there', () => {
    const { inclusion, ...bob } = heldEntry('bob', forked, 2, 5)
    if (inclusion === null) throw new Error('no entry')
    const report = verify([
      heldEntry('alice', honest, 2, 3),
      { ...bob, inclusion: { ...inclusion, leaf_hash: 'e'.repeat(64) } },
    ])
    expect(report.forks).toEqual([])
    expect(codes(report)).toEqual(['inclusion: tree_malformed'])
  })
})

describe('a proof is refused', () => {
  const entry = heldEntry('entry', honest, 2)
  const inclusion = entry.inclusion
  if (inclusion === null) throw new Error('no entry')
  test.each([
    ['in another place', { leaf_index: 3 }],
    ['outside the log', { leaf_index: 5 }],
    ['with another neighbour', { path: inclusion.path.map(() => '0'.repeat(64)) }],
    ['that is too short', { path: inclusion.path.slice(1) }],
    ['of another leaf', { leaf_hash: '0'.repeat(64) }],
    ['of another entry', { opening: heldEntry('other', honest, 1).inclusion?.opening ?? null }],
    ['in another place, unopened', { leaf_index: 3, opening: null }],
  ])('of an entry, %s', (_, change) => {
    expect(codes(verify([{ ...entry, inclusion: { ...inclusion, ...change } }]))).toEqual([
      'inclusion: tree_malformed',
    ])
  })

  test('of growth from a log that was another', () => {
    const { earlier, ...growth } = heldGrowth('growth', honest, 3)
    if (earlier === null) throw new Error('no earlier')
    const other = { ...earlier, checkpoint: checkpointOf(forked, 3) }
    expect(codes(verify([{ ...growth, earlier: other }]))).toEqual(['consistency: tree_malformed'])
  })

  test.each([
    ['that is none', 'x', 'note_malformed', 5],
    ['of another key', checkpointOf(honest, 5, KEYS.stranger), 'signature_invalid', 2],
    ['with another size', checkpointOf(honest).replace('\n5\n', '\n4\n'), 'signature_invalid', 2],
  ])('by a checkpoint %s', (_, checkpoint, code, exit) => {
    const report = verify([{ ...entry, checkpoint }])
    expect(codes(report)).toEqual([`checkpoint: ${code}`])
    expect(report.exit_code).toBe(exit)
  })
})
