import { describe, expect, it } from 'vitest'
import { allHold, CheckLog, firstFailure } from '../src/checks.js'
import { AttestationError } from '../src/index.js'

const fail = (): number => {
  throw new AttestationError('tcb_mismatch', 'test')
}

describe('a log of checks', () => {
  it('has run nothing at first, in the order of its names', () => {
    const checks = new CheckLog(['b', 'a']).conclude('nobody')
    expect(checks.map(({ name, result }) => [name, result])).toEqual([
      ['b', 'not_run'],
      ['a', 'not_run'],
    ])
    expect(allHold(checks)).toBe(false)
  })

  it('keeps a failure by its code and goes on', async () => {
    const log = new CheckLog(['a', 'b', 'c'])
    expect(log.attempt('b', fail)).toBeUndefined()
    expect(log.attempt('a', () => 7)).toBe(7)
    expect(await log.attemptAsync('c', () => Promise.resolve().then(fail))).toBeUndefined()
    const checks = log.conclude('amd', ['a'])
    expect(checks).toEqual([
      { name: 'a', result: 'passed', code: null, trusted_for: 'nobody' },
      { name: 'b', result: 'failed', code: 'tcb_mismatch', trusted_for: 'amd' },
      { name: 'c', result: 'failed', code: 'tcb_mismatch', trusted_for: 'amd' },
    ])
    expect(firstFailure(checks)).toBe('tcb_mismatch')
  })

  it('does not take a fault of ours for bad evidence', async () => {
    const log = new CheckLog(['a'])
    const fault = (): number => {
      throw new TypeError('a bug')
    }
    expect(() => log.attempt('a', fault)).toThrow(TypeError)
    await expect(log.attemptAsync('a', () => Promise.resolve().then(fault))).rejects.toThrow(TypeError)
  })

  it.each([
    ['passed', true],
    ['any', true],
    ['waived', false],
    ['failed', false],
    ['not_run', false],
  ] as const)('with a check that is %s holds: %s', (result, holds) => {
    const log = new CheckLog(['a'])
    log.judge('a', (given) => given, result)
    expect(allHold(log.conclude('amd'))).toBe(holds)
  })
})
