import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parseAppraisalPolicy } from '../src/index.js'

it('the policy in the README is one', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  const [, example = ''] = /```json\n([\s\S]*?)```/.exec(readme) ?? []
  expect(parseAppraisalPolicy(JSON.parse(example)).products).toEqual(['Milan', 'Genoa'])
})
