import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { policyId, VERIFIER } from '../../src/results/profiles.js'

it('the verifier names the version that its package has', () => {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  expect(VERIFIER.build).toBe(`parley-verify ${(JSON.parse(text) as { version: string }).version}`)
})

it('the id of a policy names what a simulated root vouched for', () => {
  expect(policyId('ab', false)).toBe('tag:parley.example,2026:policy/sha256/ab')
  expect(policyId('ab', true)).toBe('tag:parley.example,2026:policy/sha256/ab#SIMULATED')
})
