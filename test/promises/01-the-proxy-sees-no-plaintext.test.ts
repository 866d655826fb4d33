import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Played, playDemo } from '../../scripts/src/demo/story.js'
import { inRepository } from '../../scripts/src/demo/paths.js'
import { sawPlaintext, spellings } from '../../scripts/src/demo/plaintext-search.js'
import { freshFolder } from '../harness/cleanup.js'
import { bytesIn } from '../harness/search.js'

describe('the whole story, in processes of the built product', () => {
  let folder: string
  let played: Played
  beforeAll(async () => {
    if (!existsSync(inRepository('scripts/dist/demo/confidential-relay.js')))
      throw new Error('this promise is about the built product: npm run build')
    folder = freshFolder()
    played = await playDemo({ lane: 'confidential', offer: 'negotiation-band', folder }, () => undefined)
  })

  const inputs = (): string[] =>
    ['buyer', 'seller'].map((name) => readFileSync(join(folder, name, 'input.json'), 'utf8'))
  // As they were typed, as they are canonical, and the figures alone.
  const secrets = (): string[] =>
    inputs().flatMap((text) => [text, JSON.stringify(JSON.parse(text)), ...(text.match(/\d{5,}/g) ?? [])])

  it('ends well in the confidential lane, and says that it was simulated', () => {
    const { result } = played
    expect(result).toMatchObject({ lane: 'confidential', platform: 'sev-snp', outcome: 'COMPLETED' })
    expect(result.verdicts).toEqual(
      ['buyer', 'seller'].map((participant) => ({ participant, trusted: true, simulated: true, failed: [] })),
    )
  })

  it('shows neither inputs, program nor output to sockets, disk or log of the host-proxy', () => {
    expect(played.result.proxy_saw_plaintext).toBe(false)
  })

  it('would have: the same search finds the same input where it passes the same proxy in plain', () => {
    expect(played.controlFound).toBe(true)
  })

  it('leaves none of them in the store of the relay, which is the host’s disk', () => {
    expect(secrets().length).toBeGreaterThan(4)
    const store = bytesIn(join(folder, 'store'))
    expect(store.length).toBeGreaterThan(50_000)
    expect(sawPlaintext(store, secrets())).toBe(false)
    // The same search over the folder of a participant, who may know them.
    expect(sawPlaintext(bytesIn(join(folder, 'buyer')), secrets())).toBe(true)
  })
})

describe('the search', () => {
  const secret = '{"ceiling":48731900,"currency":"EUR \\"net\\""}'
  const around = (inner: Buffer): Buffer => Buffer.concat([randomBytes(999), inner, randomBytes(999)])
  const written: readonly (readonly [string, (raw: Buffer) => string])[] = [
    ['raw', (raw) => raw.toString()],
    ['a JSON string', (raw) => JSON.stringify(raw.toString())],
    ['hex', (raw) => raw.toString('hex')],
    ['upper-case hex', (raw) => raw.toString('hex').toUpperCase()],
    ['base64', (raw) => raw.toString('base64')],
    ['base64url', (raw) => raw.toString('base64url')],
    [
      'base64 after one octet',
      (raw) => Buffer.concat([randomBytes(1), raw, randomBytes(1)]).toString('base64'),
    ],
    [
      'base64 after two octets',
      (raw) => Buffer.concat([randomBytes(2), raw, randomBytes(2)]).toString('base64'),
    ],
    ['base64url after two octets', (raw) => Buffer.concat([randomBytes(2), raw]).toString('base64url')],
  ]

  it.each(written)('finds a secret written as %s', (_, write) => {
    const bytes = around(Buffer.from(write(Buffer.from(secret))))
    expect(sawPlaintext(bytes, [secret])).toBe(true)
  })

  it('finds nothing where nothing is', () => {
    expect(sawPlaintext(randomBytes(100_000), [secret])).toBe(false)
    expect(spellings(secret).every((spelling) => spelling.length >= 20)).toBe(true)
  })
})
