import { createPrivateKey, createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEd25519PublicKey } from '@parley/protocol'
import { compactVerify, importSPKI } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { run } from '../../src/node/index.js'
import { openEatCwt } from '../../src/results/index.js'
import { readVector, VECTORS } from '../results/result-vectors.js'

const folder = mkdtempSync(join(tmpdir(), 'parley-results-'))
afterAll(() => {
  rmSync(folder, { recursive: true })
})

const at = (name: string): string => join(folder, name)
// Encoded as they are made: Node 20 now and then deadlocks on the export of a key object that was generated.
const publicKeyEncoding: { type: 'spki'; format: 'pem' } = { type: 'spki', format: 'pem' }
const privateKeyEncoding: { type: 'pkcs8'; format: 'pem' } = { type: 'pkcs8', format: 'pem' }
const keys = {
  ed25519: generateKeyPairSync('ed25519', { publicKeyEncoding, privateKeyEncoding }),
  p256: generateKeyPairSync('ec', { namedCurve: 'P-256', publicKeyEncoding, privateKeyEncoding }),
  p384: generateKeyPairSync('ec', { namedCurve: 'P-384', publicKeyEncoding, privateKeyEncoding }),
}
beforeAll(() => {
  for (const [name, { privateKey }] of Object.entries(keys)) writeFileSync(at(`${name}.pem`), privateKey)
  const locked = { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' } as const
  writeFileSync(at('locked.pem'), createPrivateKey(keys.ed25519.privateKey).export(locked))
  writeFileSync(at('public.pem'), keys.ed25519.publicKey)
})

const cli = async (name: string, ...options: readonly string[]) => {
  const { expected } = readVector(name)
  const of = (file: string): string => join(VECTORS, name, file)
  const printed = { out: '', err: '' }
  const root = existsSync(of('root.der')) ? ['--root', of('root.der')] : []
  const code = await run(
    [
      expected.procedure,
      of(`${expected.procedure}.json`),
      '--policy',
      of('policy.json'),
      ...root,
      ...options,
    ],
    {
      out: (text) => void (printed.out += text),
      err: (text) => void (printed.err += text),
      now: Date.parse(expected.now),
    },
  )
  return { code, ...printed }
}

const results = (name: string): readonly string[] =>
  ['ear', 'eat', 'cwt', 'in-toto'].flatMap((kind) => [`--${kind}`, at(`${name}.${kind}`)])
const text = (file: string): string => readFileSync(at(file), 'utf8')
const pem = (name: keyof typeof keys): string => keys[name].publicKey

describe('parley-verify --ear --eat --cwt --in-toto', () => {
  it('prints the verdict as without them, and writes all four under an Ed25519 key', async () => {
    const plain = await cli('bundle-trusted')
    const { code, out, err } = await cli('bundle-trusted', ...results('four'), '--key', at('ed25519.pem'))
    expect([code, out, err]).toEqual([0, plain.out, ''])
    const { payload } = await compactVerify(
      text('four.ear').trim(),
      await importSPKI(pem('ed25519'), 'EdDSA'),
    )
    expect(JSON.parse(new TextDecoder().decode(payload))).toMatchObject({
      submods: { cpu0: { 'ear.status': 'affirming' }, relay: { 'ear.status': 'affirming' } },
    })
    expect(JSON.parse(text('four.eat'))).toMatchObject({ dbgstat: 'disabled-since-boot' })
    const raw = createPublicKey(pem('ed25519')).export({ format: 'jwk' }).x ?? ''
    const key = parseEd25519PublicKey(new Uint8Array(Buffer.from(raw, 'base64url')))
    expect(openEatCwt(new Uint8Array(readFileSync(at('four.cwt'))), key).get(263)).toBe(2)
    expect(JSON.parse(text('four.in-toto'))).toMatchObject({ payloadType: 'application/vnd.in-toto+json' })
  })

  it('signs with P-256 as ES256', async () => {
    expect((await cli('evidence-trusted', ...results('es256'), '--key', at('p256.pem'))).code).toBe(0)
    const key = await importSPKI(pem('p256'), 'ES256')
    const { protectedHeader } = await compactVerify(text('es256.ear').trim(), key)
    expect(protectedHeader.alg).toBe('ES256')
    const envelope = JSON.parse(text('es256.in-toto')) as { payload: string; signatures: [{ sig: string }] }
    const payload = Buffer.from(envelope.payload, 'base64')
    const message = Buffer.concat([
      Buffer.from(`DSSEv1 28 application/vnd.in-toto+json ${payload.length} `),
      payload,
    ])
    const signature = Buffer.from(envelope.signatures[0].sig, 'base64')
    expect(verify('sha256', message, { key: pem('p256'), dsaEncoding: 'ieee-p1363' }, signature)).toBe(true)
  })

  it.each<[string, number, string]>([
    ['evidence-tcb-too-old', 3, 'warning'],
    ['bundle-consents-swapped', 4, 'contraindicated'],
    ['bundle-malformed', 5, 'contraindicated'],
  ])('%s keeps its exit code %i, and its relay is %s', async (name, code, status) => {
    const ran = await cli(name, '--ear', at(`${name}.ear`), '--key', at('ed25519.pem'))
    expect(ran.code).toBe(code)
    const [, claims = ''] = text(`${name}.ear`).split('.')
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
      submods: { relay: { 'ear.status': status } },
    })
  })

  it('writes the EAT claims without a key', async () => {
    expect((await cli('evidence-trusted', '--eat', at('alone.eat'))).code).toBe(0)
    expect(JSON.parse(text('alone.eat'))).toHaveProperty('measurements')
  })

  it('writes no view of evidence of which nothing holds, and says so', async () => {
    const { code, err } = await cli('evidence-root-unknown', ...results('none'), '--key', at('ed25519.pem'))
    expect(code).toBe(2)
    expect(err.match(/not written/g)).toHaveLength(2)
    expect([existsSync(at('none.eat')), existsSync(at('none.cwt'))]).toEqual([false, false])
    expect([existsSync(at('none.ear')), existsSync(at('none.in-toto'))]).toEqual([true, true])
  })

  it.each<[string, () => readonly string[], RegExp]>([
    ['an EAR without a key', () => ['--ear', at('x')], /argument_invalid: .*need --key/],
    ['a CWT without a key', () => ['--cwt', at('x')], /argument_invalid: .*need --key/],
    ['a statement without a key', () => ['--in-toto', at('x')], /argument_invalid: .*need --key/],
    ['a key that signs nothing', () => ['--eat', at('x'), '--key', at('ed25519.pem')], /argument_invalid/],
    [
      'a key of another curve',
      () => ['--ear', at('x'), '--key', at('p384.pem')],
      /neither Ed25519 nor P-256/,
    ],
    ['a public key', () => ['--ear', at('x'), '--key', at('public.pem')], /no private key/],
    ['a key behind a passphrase', () => ['--ear', at('x'), '--key', at('locked.pem')], /passphrase/],
    ['a key that is not there', () => ['--ear', at('x'), '--key', at('nothing')], /ENOENT/],
    [
      'a folder that is not there',
      () => ['--ear', at('no/folder'), '--key', at('ed25519.pem')],
      /argument_invalid: .*ENOENT/,
    ],
  ])('exits 1 on %s, and prints no verdict', async (_, options, message) => {
    const { code, out, err } = await cli('evidence-trusted', ...options())
    expect([code, out]).toEqual([1, ''])
    expect(err).toMatch(message)
    expect(existsSync(at('x'))).toBe(false)
  })
})
