import { describe, expect, it } from 'vitest'
import * as protocol from '../src/index.js'

describe('the public exports', () => {
  it('hold no way to mint a brand and no cryptography without a name of its own', () => {
    const names = Object.keys(protocol)
    for (const hidden of [
      'brand',
      'nativeJsonParse',
      'aeadSeal',
      'aeadOpen',
      'hkdfExtract',
      'ed25519Verify',
      'randomBytes',
    ])
      expect(names).not.toContain(hidden)
  })
})
