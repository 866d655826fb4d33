import type { CryptoPort } from '../crypto-port.js'
import { aeadOpen, aeadSeal } from './aead.js'
import { ed25519FromSeed, ed25519Verify } from './ed25519.js'
import { hkdfExpand, hkdfExtract, randomBytes, sha256, sha256OfText, sha512 } from './hashes.js'
import { x25519FromBytes, x25519Generate } from './x25519.js'

export * from './aead.js'
export * from './ed25519.js'
export * from './hashes.js'
export * from './x25519.js'

/** The half of `#crypto` for Node, over node:crypto. */
export default {
  aeadOpen,
  aeadSeal,
  ed25519FromSeed,
  ed25519Verify,
  hkdfExpand,
  hkdfExtract,
  randomBytes,
  sha256,
  sha256OfText,
  sha512,
  x25519FromBytes,
  x25519Generate,
} satisfies CryptoPort
