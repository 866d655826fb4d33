import { createPrivateKey, generateKeyPair, type KeyObject } from 'node:crypto'

/** A private key, and its public half as SubjectPublicKeyInfo. */
export type KeyPair = { readonly privateKey: KeyObject; readonly spki: Uint8Array }

/** The keys of the two levels of a simulated vendor. ASK and ASVK share one, to save the time of making a third. */
export type AuthorityKeys = { readonly root: KeyPair; readonly intermediate: KeyPair }

// Exported at generation and read back: Node 20 can deadlock on the export of a key object.
const ENCODINGS = {
  publicKeyEncoding: { type: 'spki', format: 'der' },
  privateKeyEncoding: { type: 'pkcs8', format: 'der' },
} as const

type Made = (error: Error | null, publicKey: Buffer, privateKey: Buffer) => void

const pair = (generate: (made: Made) => void): Promise<KeyPair> =>
  new Promise((resolve, reject) => {
    generate((error, publicKey, privateKey) => {
      if (error !== null) reject(error)
      else
        resolve({
          privateKey: createPrivateKey({ key: privateKey, type: 'pkcs8', format: 'der' }),
          spki: new Uint8Array(publicKey),
        })
    })
  })

const makeRsaKey = (): Promise<KeyPair> =>
  pair((made) => {
    generateKeyPair('rsa', { modulusLength: 4096, ...ENCODINGS }, made)
  })

/** A fresh P-384 key, as a chip has one for each TCB. */
export const makeLeafKey = (): Promise<KeyPair> =>
  pair((made) => {
    generateKeyPair('ec', { namedCurve: 'P-384', ...ENCODINGS }, made)
  })

/** Vendor keys of their own: RSA-4096, so it takes seconds. */
export const makeAuthorityKeys = async (): Promise<AuthorityKeys> => {
  const [root, intermediate] = await Promise.all([makeRsaKey(), makeRsaKey()])
  return { root, intermediate }
}

let ofThisProcess: Promise<AuthorityKeys> | undefined

/** The vendor keys of this process, made once and never written down. */
export const authorityKeys = (): Promise<AuthorityKeys> => {
  ofThisProcess ??= makeAuthorityKeys()
  return ofThisProcess
}
