import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readVector as readResult, vectorNames as resultNames } from '../../test/results/result-vectors.js'
import { type Given, type OpenPage, openPage, type Slots } from './open-page.js'
import { inNode, inPage } from './same-results.js'

const EVIDENCE = fileURLToPath(new URL('../../../attestation/vectors/evidence', import.meta.url))

type Expectation = {
  readonly code: string | null
  readonly now: string
  readonly trusted_roots: readonly string[]
}

const read = (folder: string, name: string): Given => ({
  name,
  bytes: new Uint8Array(readFileSync(join(folder, name))),
})

const ofEvidence = (name: string): { readonly slots: Slots; readonly code: string | null } => {
  const folder = join(EVIDENCE, name)
  const { code, now, trusted_roots } = JSON.parse(
    readFileSync(join(folder, 'expect.json'), 'utf8'),
  ) as Expectation
  const files = readdirSync(folder).filter((file) => /\.(?:bin|der|pem|crl)$/.test(file))
  // A raw quote brings its certificates along.
  const subject = files.includes('quote.bin') ? ['quote.bin'] : files
  return {
    slots: {
      subject: subject.sort().map((file) => read(folder, file)),
      root: trusted_roots.map((file) => read(folder, file)),
      now: Date.parse(now),
    },
    code,
  }
}

const ofResult = (name: string): { readonly slots: Slots; readonly exitCode: number } => {
  const { given, expected } = readResult(name)
  const root = given.roots.map(({ certificate }) => ({ name: 'root.der', bytes: certificate }))
  // What is malformed has no mark to know it by, but a name.
  const file = { bundle: 'bundle.parley.json', evidence: 'evidence.json' }[given.procedure]
  const subject = [{ name: file, bytes: given.bytes }]
  const policy = { name: 'policy.json', bytes: new TextEncoder().encode(JSON.stringify(given.policy)) }
  return { slots: { subject, policy, root, now: given.now }, exitCode: expected.exit_code }
}

let open: OpenPage
beforeAll(async () => {
  open = await openPage()
})
afterAll(async () => {
  expect(open.complaints).toEqual([])
  await open.close()
})

describe('in the page, as in Node', () => {
  it.each(readdirSync(EVIDENCE).sort())('the evidence %s is judged as its expect.json says', async (name) => {
    const { slots, code } = ofEvidence(name)
    const seen = await inPage(open, slots)
    expect(seen).toEqual(await inNode(slots))
    expect(JSON.parse(seen.json)).toMatchObject({ genuine: code === null, code })
  })

  it.each(resultNames())('the verdict on %s is the same', async (name) => {
    const { slots, exitCode } = ofResult(name)
    const seen = await inPage(open, slots)
    expect(seen).toEqual(await inNode(slots))
    expect(JSON.parse(seen.json)).toMatchObject({ exit_code: exitCode })
  })
})
