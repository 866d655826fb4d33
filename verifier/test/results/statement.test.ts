import { createHash, createPublicKey, verify } from 'node:crypto'
import { hash, type JsonObject, toBase64url } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { signDsse, verdictStatement } from '../../src/results/index.js'
import { judgedOf, KEY, SIGNER } from './result-cases.js'
import { readVector } from './result-vectors.js'

const statement = async (name: string): Promise<JsonObject> =>
  verdictStatement(await judgedOf(readVector(name).given))

const digestOf = (name: string): string =>
  createHash('sha256').update(readVector(name).given.bytes).digest('hex')

describe('verdictStatement', () => {
  it('is about the bundle and, where it is trusted, the output', async () => {
    expect(await statement('bundle-trusted')).toMatchObject({
      _type: 'https://in-toto.io/Statement/v1',
      subject: [
        { name: 'bundle', digest: { sha256: digestOf('bundle-trusted') } },
        { name: 'output', digest: { sha256: hash({ overlap: 'YES' }) } },
      ],
      predicateType: 'tag:parley.example,2026:verdict/v1',
      predicate: { trusted: true, simulated: true, exit_code: 0, assurance_level: 'TEE_ATTESTED' },
    })
  })

  it('is about evidence where evidence was judged', async () => {
    expect(await statement('evidence-trusted')).toMatchObject({
      subject: [{ name: 'evidence', digest: { sha256: digestOf('evidence-trusted') } }],
    })
  })

  it('of a verdict that is not trusted says nothing about an output', async () => {
    const { subject, predicate } = await statement('bundle-consents-swapped')
    expect(subject).toEqual([{ name: 'bundle', digest: { sha256: digestOf('bundle-consents-swapped') } }])
    expect(predicate).toMatchObject({ trusted: false, exit_code: 4 })
  })

  it('holds no output and no input', async () => {
    expect(JSON.stringify(await statement('bundle-trusted'))).not.toMatch(/overlap|YES|ceiling|floor":/)
  })

  it('names the policy by its digest, and a simulated root with it', async () => {
    const { given } = readVector('evidence-trusted')
    const digest = hash(given.policy)
    expect(await statement('evidence-trusted')).toMatchObject({
      predicate: {
        policy: {
          uri: `tag:parley.example,2026:policy/sha256/${digest}#SIMULATED`,
          digest: { sha256: digest },
        },
        time_verified: '2026-09-21T14:23:20.000Z',
      },
    })
  })
})

describe('signDsse', () => {
  // The example of DSSE's own protocol.md.
  it('signs the length of each part before the part', async () => {
    const signed: string[] = []
    const { payload } = await signDsse(
      { a: 1 },
      {
        ...SIGNER,
        sign: (message) => {
          signed.push(new TextDecoder().decode(message))
          return SIGNER.sign(message)
        },
      },
    )
    expect(signed).toEqual(['DSSEv1 28 application/vnd.in-toto+json 7 {"a":1}'])
    expect(payload).toBe('eyJhIjoxfQ==')
  })

  it('holds under the key that it names', async () => {
    const envelope = await signDsse(await statement('bundle-trusted'), SIGNER)
    const [{ keyid, sig } = { keyid: '', sig: '' }] = envelope['signatures'] as {
      keyid: string
      sig: string
    }[]
    const payload = Buffer.from(envelope['payload'] as string, 'base64')
    const message = Buffer.concat([
      Buffer.from(`DSSEv1 28 application/vnd.in-toto+json ${payload.length} `),
      payload,
    ])
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: toBase64url(KEY.publicKey) }
    expect(
      verify(null, message, createPublicKey({ key: jwk, format: 'jwk' }), Buffer.from(sig, 'base64')),
    ).toBe(true)
    expect(keyid).toBe(SIGNER.keyId)
  })
})
