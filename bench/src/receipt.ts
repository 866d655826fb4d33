import { createPublicKey, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  fromBase64url,
  fromHex,
  parseCanonicalJson,
  parseEd25519PublicKey,
  parseKeyset,
  parseReceipt,
  receiptCore,
  receiptCoreHash,
  verifyReceipt,
} from '@parley/protocol'
import { type Contest, inProcess } from './candidate.js'

const vectors = join(import.meta.dirname, '../../protocol/vectors/objects')
const read = (name: string): Uint8Array => new Uint8Array(readFileSync(join(vectors, name, 'value.json')))

function assertRefused(check: (bytes: Uint8Array) => void, bytes: Uint8Array): void {
  const other = Buffer.from(Buffer.from(bytes).toString().replace('"issued_at":1', '"issued_at":2'))
  if (other.equals(bytes)) throw new Error('nothing was changed')
  try {
    check(other)
  } catch {
    return
  }
  throw new Error('a changed receipt is accepted')
}

/** A receipt's whole check (strict JSON, shape, canonical bytes, hash, signature) against one Ed25519 verification. */
export function* benchReceipt(): Generator<Contest> {
  const keyset = parseKeyset(parseCanonicalJson(read('keyset')))
  const raw = fromBase64url(keyset.receipt_key, 32)
  const key = parseEd25519PublicKey(raw)
  const bytes = read('receipt')
  const receipt = parseReceipt(parseCanonicalJson(bytes))
  const message = fromHex(receiptCoreHash(receiptCore(receipt)), 32)
  const signature = fromBase64url(receipt.signature, 64)
  const imported = createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: keyset.receipt_key },
    format: 'jwk',
  })
  if (!verify(null, message, imported, signature)) throw new Error('the floor refuses the signature')
  const check = (received: Uint8Array): void => {
    verifyReceipt(parseReceipt(parseCanonicalJson(received)), key)
  }
  check(bytes)
  assertRefused(check, bytes)
  yield {
    title: `receipt of ${bytes.length} bytes`,
    floor: inProcess('bare: Ed25519 verify', () => void verify(null, message, imported, signature)),
    rivals: [
      inProcess(
        'strict JSON, shape, hash, signature',
        () => {
          check(bytes)
        },
        { atMost: 1.75 },
      ),
    ],
  }
}
