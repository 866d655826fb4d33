import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { assemblePrompt } from '../../src/prompt/index.js'
import { programObject } from './prompt-objects.js'

const SPEC = readFileSync(new URL('../../../protocol/SPEC.md', import.meta.url), 'utf8')

const literal = (name: string): string | undefined =>
  new RegExp(`<!-- prompt: ${name} -->\n\n\`\`\`text\n([^\`]*)\n\`\`\`\n`).exec(SPEC)?.[1]

test('the prompt of SPEC §19 is what is assembled', () => {
  const { system, user } = assemblePrompt({
    program: programObject,
    contract: {
      purpose_code: 'NEGOTIATION',
      output_schema_id: 'overlap_v1',
      participants: ['did:oas:self:agent:zA', 'did:oas:self:agent:zB'],
    },
    outputSchema: { type: 'string', enum: ['NEAR', 'FAR'] },
    inputs: [{ ceiling: 100 }, { floor: 90 }],
    delimiter: '00112233445566778899aabbccddeeff',
  })
  expect(literal('system')).toBe(system)
  expect(literal('user')).toBe(user)
})
