import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AgentError, SessionFile } from '../src/index.js'
import { recordedTrust } from '../src/session-record.js'
import { SESSION_ID } from './double/session.js'
import { consentBoth, startStage } from './double/stage.js'
import { BUYER, contract } from './double/terms.js'

/** The file of a session in which an input was submitted: every member of the record is filled. */
const filled = async () => {
  const stage = await startStage()
  const { bought } = await consentBoth(stage)
  await stage.buyer.submit(bought, BUYER, 0)
  const path = join(stage.buyer.folder, 'sessions', `${SESSION_ID}.json`)
  return { path, record: bought.file.record, text: await readFile(path, 'utf8'), stage }
}

describe('a session file', () => {
  test('is read back as it was written', async () => {
    const { path, record } = await filled()
    expect((await SessionFile.open(path)).record).toEqual(record)
  })

  test('keeps the roots of TPMs that the relay was judged by, and whose they are', async () => {
    const { buyer, seller, begin, trust } = await startStage()
    const tpmRoots = [
      { kind: 'google' as const, certificate: Uint8Array.of(0x30, 1) },
      { kind: 'simulated' as const, certificate: Uint8Array.of(0x30, 2) },
    ]
    const beginning = { ...(await begin(buyer)), trust: { ...trust, roots: [Uint8Array.of(3)], tpmRoots } }
    await buyer.create(beginning, { contract, invited: [seller.identity.did] })
    const { record } = await SessionFile.open(join(buyer.folder, 'sessions', `${SESSION_ID}.json`))
    expect(recordedTrust(record)).toEqual({ policy: trust.policy, roots: [Uint8Array.of(3)], tpmRoots })
  })

  test('gives each of many changes at once its own number', async () => {
    const { path, record } = await filled()
    const file = await SessionFile.open(path)
    const drawn = await Promise.all(
      Array.from({ length: 20 }, () => file.update(({ seq }) => ({ seq: seq + 1 }))),
    )
    expect(new Set(drawn.map(({ seq }) => seq)).size).toBe(20)
    expect((await SessionFile.open(path)).record.seq).toBe(record.seq + 20)
  })

  test('gives each of many changes its own number, though two processes have it open', async () => {
    const { path, record } = await filled()
    const files = [await SessionFile.open(path), await SessionFile.open(path)]
    const drawn = await Promise.all(
      files.flatMap((file) => Array.from({ length: 5 }, () => file.update(({ seq }) => ({ seq: seq + 1 })))),
    )
    expect(new Set(drawn.map(({ seq }) => seq)).size).toBe(10)
    expect((await SessionFile.open(path)).record.seq).toBe(record.seq + 10)
  })

  test('gives out each number once, and none that it does not hold as sent', async () => {
    const { path } = await filled()
    const file = await SessionFile.open(path)
    const drawn: number[] = []
    for (let i = 0; i < 100; i++) {
      drawn.push(await file.nextSeq())
      expect((await SessionFile.open(path)).record.seq).toBeGreaterThanOrEqual(drawn.at(-1) ?? Infinity)
    }
    expect(new Set(drawn).size).toBe(100)
    expect([...drawn].sort((one, other) => one - other)).toEqual(drawn)
  })

  test('gives later numbers than any before, though two processes draw in turn', async () => {
    const { path, record } = await filled()
    const files = [await SessionFile.open(path), await SessionFile.open(path)]
    const drawn = [record.seq]
    for (let i = 0; i < 5; i++) for (const file of files) drawn.push(await file.nextSeq())
    expect([...new Set(drawn)].sort((one, other) => one - other)).toEqual(drawn)
  })

  test('that is opened again gives none of the numbers that were set aside', async () => {
    const { path, record } = await filled()
    expect(await (await SessionFile.open(path)).nextSeq()).toBeGreaterThan(record.seq)
  })

  test('keeps its record where a change fails, and takes the next', async () => {
    const { path } = await filled()
    const file = await SessionFile.open(path)
    const failing = file.update(() => {
      throw new Error('no')
    })
    const next = file.update(() => ({ seq: 99 }))
    await expect(failing).rejects.toThrow('no')
    expect((await next).seq).toBe(99)
  })

  test('is never made in the place of another', async () => {
    const { path, record } = await filled()
    await expect(SessionFile.create(path, record)).rejects.toMatchObject({ code: 'state_exists' })
  })

  test.each<[string, (text: string) => string]>([
    ['cut off', (text) => text.slice(0, -1)],
    ['with an unknown member', (text) => text.replace('{', '{"extra":1,')],
    ['of another version', (text) => text.replace('parley-session-v1', 'parley-session-v2')],
    [
      'with another figure in its ledger entry',
      (text) => text.replace('"after_millibits":0', '"after_millibits":1'),
    ],
    ['with a negative number', (text) => text.replace(/"seq":\d+,"session_id"/, '"seq":-1,"session_id"')],
    ['without the roots of TPMs', (text) => text.replace('"tpm_roots":[],', '')],
    [
      'with a root of TPMs of another kind',
      (text) => text.replace('"tpm_roots":[]', '"tpm_roots":[{"certificate":"MAE","kind":"amd"}]'),
    ],
    ['with a member named twice', (text) => text.replace('{', '{"role":"responder",')],
  ])('that is %s is state_malformed', async (_, change) => {
    const { path, text } = await filled()
    expect(change(text)).not.toBe(text)
    await writeFile(path, change(text))
    await expect(SessionFile.open(path)).rejects.toMatchObject({ code: 'state_malformed' })
  })

  test('with any octets changed is refused by our own class, or read', async () => {
    const { path, text } = await filled()
    const bytes = Buffer.from(text)
    const change = fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.integer({ min: 0, max: 255 })), {
      minLength: 1,
      maxLength: 3,
    })
    await fc.assert(
      fc.asyncProperty(change, async (changes) => {
        const changed = Buffer.from(bytes)
        for (const [at, octet] of changes) changed[at] = octet
        await writeFile(path, changed)
        const error: unknown = await SessionFile.open(path).then(
          () => undefined,
          (each: unknown) => each,
        )
        expect(error === undefined || error instanceof AgentError).toBe(true)
      }),
      { numRuns: 100 },
    )
  })
})
