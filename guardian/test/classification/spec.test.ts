import { readFileSync } from 'node:fs'
import { parseJson } from '@parley/protocol'
import { expect, test } from 'vitest'
import { ENGINES } from './policies.js'

test('the engines that the specification shows are those of the shipped bundle', () => {
  const spec = readFileSync(new URL('../../../protocol/SPEC.md', import.meta.url), 'utf8')
  const [, shown = ''] = /\n## \d+\. Classification and egress\n\n```json\n([^`]+)```/.exec(spec) ?? []
  expect(parseJson(shown)).toEqual(ENGINES)
})
