import { inspect } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CapabilityRegistry, SecretVault } from '../../src/index.js'

const secret = fc
  .string({ unit: 'grapheme', minLength: 8, maxLength: 40 })
  .filter((text) => text.isWellFormed())
const around = fc.string({ unit: 'grapheme-ascii', maxLength: 10 })

describe('a vault', () => {
  test('UAR-10: finds a secret in whatever stands around it, plain, in base64, hexadecimal or a URL', () => {
    fc.assert(
      fc.property(secret, around, around, (value, before, after) => {
        const vault = new SecretVault()
        vault.keep('context', 'name', value)
        const text = `${before}${value}${after}`
        for (const spelt of [
          text,
          Buffer.from(text).toString('base64'),
          Buffer.from(text).toString('base64url'),
          Buffer.from(text).toString('hex'),
          Buffer.from(text).toString('hex').toUpperCase(),
          encodeURIComponent(text),
        ])
          expect(vault.isIn([{ text: spelt }])).toBe(true)
      }),
    )
  })

  test('finds nothing where there is nothing', () => {
    const vault = new SecretVault()
    vault.keep('context', 'name', 'canary-0001')
    expect(vault.isIn({ text: 'canary-0002', more: [1, null, true, 'canary'] })).toBe(false)
  })

  test('still finds the value that a name had before', () => {
    const vault = new SecretVault()
    vault.keep('context', 'name', 'old-canary')
    vault.keep('context', 'name', 'new-canary')
    expect([vault.reveal('context', 'name'), vault.isIn('old-canary')]).toEqual(['new-canary', true])
  })

  test.each(['', '1234567', '\ud800-surrogate'])('refuses what it could not find again: %j', (value) => {
    expect(() => new SecretVault().keep('context', 'name', value)).toThrow(
      expect.objectContaining({ code: 'key_refused' }),
    )
  })

  test.each([
    ['other', 'name'],
    ['context', 'other'],
  ])('reveals nothing to %s under %s', (context, name) => {
    const vault = new SecretVault()
    vault.keep('context', 'name', 'canary-0001')
    expect(() => vault.reveal(context, name)).toThrow(expect.objectContaining({ code: 'key_refused' }))
  })

  test('UAR-10: prints names wherever it or a handle is printed', () => {
    const vault = new SecretVault()
    const handle = vault.keep('context', 'name', 'canary-0001')
    const printed = [inspect(vault, { depth: 9 }), JSON.stringify(vault), inspect(handle), String(handle)]
    expect(printed.join()).not.toContain('canary')
    expect(JSON.stringify({ handle })).toBe('{"handle":{"secret":"name"}}')
  })
})

describe('the registry of capabilities', () => {
  const capability = {
    effect: 'tool' as const,
    resource: 'a',
    credentials: [],
    execute: () => Promise.resolve(null),
  }

  test('has only what was registered, for that effect on that resource', () => {
    const registry = new CapabilityRegistry()
    registry.register(capability)
    expect(registry.find('tool', 'a')).toBe(capability)
    expect([
      registry.find('tool', 'b'),
      registry.find('secret', 'a'),
      registry.find('tool', 'toString'),
    ]).toEqual([undefined, undefined, undefined])
  })

  test('takes no second one for the same', () => {
    const registry = new CapabilityRegistry()
    registry.register(capability)
    expect(() => {
      registry.register({ ...capability })
    }).toThrow(expect.objectContaining({ code: 'object_malformed' }))
  })
})
