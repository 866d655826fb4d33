import { readFileSync } from 'node:fs'
import { isJsonObject, type JsonObject, parseJson } from '@parley/protocol'
import { describe, expect, test } from 'vitest'
import { EFFECT_STATES, EFFECTS, effectDigest, parseApproval } from '../../src/index.js'
import { request, setStage } from './stage.js'

const spec = readFileSync(new URL('../../../protocol/SPEC.md', import.meta.url), 'utf8')
const section = /\n## \d+\. Effect gate\n(?<body>[\s\S]*?)(?:\n## |$)/.exec(spec)?.groups?.['body'] ?? ''
const [effect, record] = [...section.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text]): JsonObject => {
  const value = parseJson(text ?? '')
  return isJsonObject(value) ? value : {}
})

describe('SPEC "Effect gate"', () => {
  test('shows an effect under its own digest', () => {
    const { effect_digest: digest } = record?.['fields'] as { readonly effect_digest: string }
    const asked = { effect, effect_digest: digest, asked_at: 0, expires_at: 1, rules: [], state: 'pending' }
    const approval = parseApproval({ ...asked, grant: null } as JsonObject)
    expect(effectDigest(approval.effect)).toBe(digest)
    expect(section).toContain(`\`${digest}\``)
  })

  test('shows a record with the members of every record', async () => {
    const { gate, run, records } = await setStage()
    await gate.request(run, request)
    const written = records.at(-1)
    expect(written?.event).toBe(record?.['event'])
    expect(Object.keys(written?.fields ?? {}).sort()).toEqual(Object.keys(record?.['fields'] ?? {}).sort())
  })

  test('has a row for every effect', () => {
    for (const [name, { action, resource }] of Object.entries(EFFECTS))
      expect(section).toContain(`| \`${name}\` | \`${action}\` | ${resource} |`)
  })

  test('has the table of states', () => {
    for (const [state, next] of Object.entries(EFFECT_STATES).filter(([, { length }]) => length > 0))
      expect(section).toContain(`| \`${state}\` | ${next.map((one) => `\`${one}\``).join(', ')} |`)
  })
})
