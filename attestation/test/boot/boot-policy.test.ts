import { describe, expect, it } from 'vitest'
import { parseBootPolicy } from '../../src/index.js'
import { POLICY } from './kit.js'

const refused = (value: unknown, code: string): void => {
  expect(() => parseBootPolicy(value)).toThrow(expect.objectContaining({ code }) as Error)
}

describe('what is expected of a boot', () => {
  it.each(Object.keys(POLICY))('is refused without %s as reference_value_missing', (member) => {
    refused(
      Object.fromEntries(Object.entries(POLICY).filter(([name]) => name !== member)),
      'reference_value_missing',
    )
  })

  it.each([
    ['an unknown member', { ...POLICY, initrd: { equals: '00'.repeat(32) } }],
    ['an image that is left open', { ...POLICY, uki: { any: 'whatever' } }],
    ['a command line that is left open', { ...POLICY, command_line: { any: 'whatever' } }],
    ['Secure Boot that is neither required nor left open for a reason', { ...POLICY, secure_boot: 'any' }],
    ['a register that there is not', { ...POLICY, pcrs: { '24': { any: 'whatever' } } }],
    ['a number with a leading zero', { ...POLICY, pcrs: { '04': { any: 'whatever' } } }],
    ['a value of another size', { ...POLICY, pcrs: { '4': { equals: '00' } } }],
    ['a claim that nobody may bear out', { ...POLICY, accept: { ...POLICY.accept, boot: [] } }],
    ['a root that nobody knows', { ...POLICY, accept: { ...POLICY.accept, app: ['anyone'] } }],
    ['no object', 'none'],
  ])('is refused with %s as policy_malformed', (_, value) => {
    refused(value, 'policy_malformed')
  })
})
