import { fromBase64url, signingKeyFromSeed } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { ed25519Signer, thumbprint } from '../../src/results/index.js'

// RFC 8037 A.1 and A.3.
const SEED = fromBase64url('nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A', 32)
const X = '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo'

describe('a signer', () => {
  it('names its key by the thumbprint of RFC 8037 A.3', () => {
    const expected = 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k'
    expect(thumbprint({ crv: 'Ed25519', kty: 'OKP', x: X })).toBe(expected)
    expect(ed25519Signer(signingKeyFromSeed(SEED))).toMatchObject({ alg: 'EdDSA', keyId: expected })
  })
})
