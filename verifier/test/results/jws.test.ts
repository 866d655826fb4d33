import { createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { toBase64url } from '@parley/protocol'
import { compactVerify, importJWK } from 'jose'
import { describe, expect, it } from 'vitest'
import { signJws } from '../../src/results/jws.js'
import { type Signer, thumbprint } from '../../src/results/index.js'

// Encoded as they are made: Node 20 now and then deadlocks on the export of a key object that was generated.
const { publicKey, privateKey } = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})
const { x = '', y = '' } = createPublicKey(publicKey).export({ format: 'jwk' })
const signer: Signer = {
  alg: 'ES256',
  keyId: thumbprint({ crv: 'P-256', kty: 'EC', x, y }),
  sign: (message) => Promise.resolve(sign('sha256', message, { key: privateKey, dsaEncoding: 'ieee-p1363' })),
}

describe('signJws', () => {
  it('is verified by a JOSE library under a P-256 key', async () => {
    const jws = await signJws('eat+jwt', { iat: 1, b: null, a: 'ü' }, signer)
    const key = await importJWK({ kty: 'EC', crv: 'P-256', x, y }, 'ES256')
    const { payload, protectedHeader } = await compactVerify(jws, key)
    expect(protectedHeader).toEqual({ alg: 'ES256', kid: signer.keyId, typ: 'eat+jwt' })
    expect(new TextDecoder().decode(payload)).toBe('{"a":"ü","b":null,"iat":1}')
  })

  it('does not verify once a claim is another one', async () => {
    const [header, , signature] = (await signJws('eat+jwt', { iat: 1 }, signer)).split('.')
    const forged = toBase64url(new TextEncoder().encode('{"iat":2}'))
    const key = await importJWK({ kty: 'EC', crv: 'P-256', x, y }, 'ES256')
    await expect(compactVerify(`${header ?? ''}.${forged}.${signature ?? ''}`, key)).rejects.toMatchObject({
      code: 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED',
    })
  })
})
