import { createHash, generateKeyPairSync, sign, verify } from 'node:crypto'
import { fdatasyncSync, openSync, writeSync } from 'node:fs'

/** What no log can do without: hash the entry with the one before it, sign, write, and have it on the disk. */
export const bareAppend = (path: string, entry: Uint8Array): (() => void) => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const file = openSync(path, 'a', 0o600)
  let previous: Uint8Array = new Uint8Array(32)
  const append = (): void => {
    previous = createHash('sha256').update(previous).update(entry).digest()
    const signature = sign(null, previous, privateKey)
    writeSync(file, Buffer.concat([entry, previous, signature]))
    fdatasyncSync(file)
  }
  append()
  const flipped = Buffer.from(previous)
  flipped[0] = (flipped[0] ?? 0) ^ 1
  const signature = sign(null, previous, privateKey)
  if (!verify(null, previous, publicKey, signature) || verify(null, flipped, publicKey, signature))
    throw new Error('the floor signs nothing')
  return append
}
