import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fromHex, type SigningKey, signingKeyFromSeed, toHex } from '@parley/protocol'

/** The key that signs release manifests, made if it is not there: 32 octets in hex, for the publisher's eyes alone. */
export function publisherKey(folder: string): SigningKey {
  const file = join(folder, 'publisher.seed')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (!existsSync(file)) writeFileSync(file, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600 })
  const key = signingKeyFromSeed(fromHex(readFileSync(file, 'utf8').trim(), 32))
  writeFileSync(join(folder, 'publisher.pub'), `${toHex(key.publicKey)}\n`)
  return key
}
