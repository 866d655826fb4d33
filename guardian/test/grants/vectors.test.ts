import { readdirSync, readFileSync } from 'node:fs'
import { type JsonObject, parseJson } from '@parley/protocol'
import { expect, test } from 'vitest'
import { judgeGrant, verifyGrant } from '../../src/index.js'

const FOLDER = new URL('../../vectors/grants/', import.meta.url)
const { roots, audience, now, cases } = parseJson(readFileSync(new URL('act.json', FOLDER))) as unknown as {
  readonly roots: readonly string[]
  readonly audience: string
  readonly now: number
  readonly cases: readonly {
    readonly name: string
    readonly chain: readonly JsonObject[]
    readonly scope: string
    readonly expect: string | null
  }[]
}

test('the vectors of grants are all consumed, and hold more noes than yeses', () => {
  expect(readdirSync(FOLDER).sort()).toEqual(['SOURCE.md', 'act.json', 'consent.json'])
  expect(cases.filter((each) => each.expect === null).length * 2).toBeLessThan(cases.length)
})

test.each(cases)('vector: $name', ({ chain, scope, expect: expected }) => {
  const holder = chain.at(-1)?.['sub'] as string
  const asked = { typ: 'act', roots, holder, audience, scope, purpose: null, contract_hash: null } as const
  const judged = judgeGrant(chain, asked, now)
  expect(judged.ok ? null : judged.code).toBe(expected)
})

test('the grants that the specification shows are the vectors, and hold', () => {
  const spec = readFileSync(new URL('../../../protocol/SPEC.md', import.meta.url), 'utf8')
  const [, section = ''] = /\n## \d+\. Grants\n([^]*?)\n## /.exec(spec) ?? []
  const [consent, part] = [...section.matchAll(/```json\n([^`]+)```/g)].map(([, text = '']) =>
    parseJson(text),
  )
  expect(verifyGrant(consent ?? null)).toEqual(parseJson(readFileSync(new URL('consent.json', FOLDER))))
  expect(part).toEqual(cases[1]?.chain[1])
})
