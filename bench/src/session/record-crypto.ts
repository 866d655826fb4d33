import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { kept, Streamed } from './streamed.js'

/** One operation of node:crypto that was done, ready to be done again with the same keys and bytes. */
export type Operation = { readonly kind: string; bytes: number; readonly again: () => unknown }

// What it is called in a count, for each function that this repository imports.
const KINDS = {
  sign: 'sign',
  verify: 'verify',
  diffieHellman: 'X25519',
  createCipheriv: 'AEAD seal',
  createDecipheriv: 'AEAD open',
  hash: 'hash',
  createHash: 'hash',
  createHmac: 'HMAC',
  hkdfSync: 'HKDF',
  createPublicKey: 'key import',
  createPrivateKey: 'key import',
  generateKeyPairSync: 'key generation',
  randomBytes: 'random',
  randomFillSync: 'random',
} as const

const STREAMED: readonly string[] = ['createCipheriv', 'createDecipheriv', 'createHash', 'createHmac']

// hash(name, data), sign(name, data, key), verify(name, data, …): what is worked on stands second.
const bytesOf = ([, data]: readonly unknown[]): number => (data instanceof Uint8Array ? data.length : 0)

const functionOf = (name: string): ((args: readonly unknown[]) => unknown) => {
  const original: unknown = Reflect.get(crypto, name)
  if (typeof original !== 'function') throw new Error(`node:crypto has no ${name}`)
  return (args): unknown => Reflect.apply(original, undefined, args)
}

function recorder(name: keyof typeof KINDS, operations: Operation[]): (...args: unknown[]) => unknown {
  const original = functionOf(name)
  const kind = KINDS[name]
  if (STREAMED.includes(name))
    return (...args) => {
      const streamed = new Streamed(original, kept(args))
      operations.push({
        kind,
        get bytes() {
          return streamed.bytes
        },
        again: () => {
          streamed.again()
        },
      })
      return streamed.object
    }
  return (...args) => {
    const later = name === 'randomFillSync' ? args : kept(args)
    operations.push({ kind, bytes: bytesOf(args), again: () => original(later) })
    return original(args)
  }
}

/** Records every call of node:crypto, by whatever module of this process, while something runs. */
export async function recordCrypto(run: () => Promise<void>): Promise<readonly Operation[]> {
  const operations: Operation[] = []
  const names = Object.keys(KINDS).filter((name): name is keyof typeof KINDS => name in KINDS)
  const originals = names.map((name): [string, unknown] => [name, Reflect.get(crypto, name)])
  for (const name of names) Reflect.set(crypto, name, recorder(name, operations))
  syncBuiltinESMExports()
  try {
    await run()
  } finally {
    for (const [name, original] of originals) Reflect.set(crypto, name, original)
    syncBuiltinESMExports()
  }
  return operations
}

/** How many operations of each kind, and over how many bytes, one of so many sessions took. */
export function countText(operations: readonly Operation[], sessions: number): string {
  const kinds = [...new Set(operations.map(({ kind }) => kind))]
  return kinds
    .map((kind) => {
      const same = operations.filter((operation) => operation.kind === kind)
      const kib = same.reduce((sum, { bytes }) => sum + bytes, 0) / sessions / 1024
      return `${(same.length / sessions).toFixed(1)} ${kind}${kib < 1 ? '' : ` (${kib.toFixed(0)} KiB)`}`
    })
    .join(', ')
}
