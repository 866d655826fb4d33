import { readFileSync } from 'node:fs'
import { parseJson } from '@parley/protocol'
import { expect, it } from 'vitest'
import { parseVerifierPolicy } from '../src/index.js'

it('the policy that the README shows is one', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  const [, block = ''] = /```json\n(.*?)```/s.exec(readme) ?? []
  expect(parseVerifierPolicy(parseJson(block)).minimum_assurance).toBe('SELF_ASSERTED')
})
