import { toBase64url } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { type EatClaims, eatJson } from '../../src/results/index.js'

const NONCE = new Uint8Array(32).fill(1)
const CLAIMS: EatClaims = {
  iat: 3,
  nbf: 1,
  exp: 5,
  nonces: [NONCE],
  receiptKey: new Uint8Array(32).fill(2),
  hardware: {
    oem: 3704,
    model: new TextEncoder().encode('Turin'),
    debug: false,
    report: new Uint8Array(1184),
  },
  relay: { name: 'parley', version: '0.1.0', lane: 'confidential', keysetDigest: 'ab' },
}

describe('an EAT as JSON', () => {
  it('writes byte strings in base64url and states as text', () => {
    expect(eatJson(CLAIMS)).toEqual({
      eat_profile: 'tag:parley.example,2026:eat/evidence/v1',
      iat: 3,
      nbf: 1,
      exp: 5,
      eat_nonce: toBase64url(NONCE),
      cnf: { jwk: { kty: 'OKP', crv: 'Ed25519', x: toBase64url(CLAIMS.receiptKey) } },
      oemid: 3704,
      hwmodel: 'VHVyaW4',
      dbgstat: 'disabled-since-boot',
      measurements: [[42, toBase64url(new Uint8Array(1184))]],
      submods: {
        relay: {
          swname: 'parley',
          swversion: ['0.1.0'],
          'parley.lane': 'confidential',
          'parley.keyset_digest': 'ab',
        },
      },
    })
  })

  it('says that a guest which may be debugged is being debugged', () => {
    const { hardware } = CLAIMS
    expect(eatJson({ ...CLAIMS, hardware: hardware && { ...hardware, debug: true } })).toMatchObject({
      dbgstat: 'enabled',
    })
  })

  it('has no oemid where the processor is simulated, and nothing of hardware where there is none', () => {
    const { hardware } = CLAIMS
    expect(eatJson({ ...CLAIMS, hardware: hardware && { ...hardware, oem: null } })).not.toHaveProperty(
      'oemid',
    )
    const claims = eatJson({ ...CLAIMS, hardware: null })
    for (const claim of ['oemid', 'hwmodel', 'dbgstat', 'measurements'])
      expect(claims).not.toHaveProperty(claim)
  })

  it('has an array of nonces only where there are several, and no claim where there is none', () => {
    expect(eatJson({ ...CLAIMS, nonces: [NONCE, NONCE] })).toMatchObject({
      eat_nonce: [toBase64url(NONCE), toBase64url(NONCE)],
    })
    expect(eatJson({ ...CLAIMS, nonces: [] })).not.toHaveProperty('eat_nonce')
  })
})
