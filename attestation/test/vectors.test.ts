import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { ChainMemo, failureClass, judgeGenuine, verifyReport } from '../src/index.js'
import { codeOf, readVector, VECTORS, vectorNames } from './evidence-folder.js'

const FILES = /^(?:report\.bin|quote\.bin|expect\.json|SOURCE\.md|ark\.crl|[a-z-]+\.(?:der|pem))$/

describe('the vectors of evidence', () => {
  const consumed = new Set<string>()
  const names = vectorNames()

  it.each(names)('%s is judged as its expect.json says', async (name) => {
    const { expected, now, roots, evidence } = readVector(name)
    const code = await codeOf(() => verifyReport({ ...evidence(), now, roots }))
    expect({ outcome: code === null ? 'genuine' : 'refused', code }).toEqual({
      outcome: expected.outcome,
      code: expected.code,
    })
    consumed.add(name)
  })

  it.each(names)('%s is judged the same when its chain is remembered, and never by a throw', async (name) => {
    const { expected, now, roots, evidence } = readVector(name)
    if ((await codeOf(evidence)) !== null) return
    const memo = new ChainMemo()
    await judgeGenuine({ ...evidence(), now, roots, memo })
    const again = await judgeGenuine({ ...evidence(), now, roots, memo })
    expect(again).toMatchObject({ genuine: expected.code === null, code: expected.code })
  })

  it.each(names)(
    '%s is not genuine where its root is not trusted, and what is genuine is simulated',
    async (name) => {
      const { now, roots, evidence } = readVector(name)
      if ((await codeOf(evidence)) !== null) return
      expect((await judgeGenuine({ ...evidence(), now })).genuine).toBe(false)
      const judged = await judgeGenuine({ ...evidence(), now, roots })
      if (judged.genuine) expect(judged.simulated).toBe(true)
    },
  )

  it('refuse more than they accept', () => {
    const outcomes = names.map((name) => readVector(name).expected.outcome)
    expect(outcomes.filter((outcome) => outcome === 'refused').length).toBeGreaterThan(outcomes.length / 2)
  })

  it('hold nothing that this runner does not read', () => {
    for (const name of names) for (const file of readdirSync(join(VECTORS, name))) expect(file).toMatch(FILES)
  })

  it('fail evidence only as malformed or as not genuine', () => {
    for (const { expected } of names.map(readVector)) {
      if (expected.code !== null) expect(['malformed', 'not_genuine']).toContain(failureClass(expected.code))
    }
  })

  afterAll(() => {
    expect([...consumed].sort()).toEqual(names)
  })
})
