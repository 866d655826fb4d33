import {
  createCipheriv,
  createDecipheriv,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  randomBytes,
} from 'node:crypto'
import {
  encodeRequest,
  encodeResponse,
  type GatewayKey,
  generateGatewayKey,
  type HttpRequest,
  openRequest,
  startRequest,
} from '@parley/protocol'
import { type Bar, type Candidate, type Contest, inProcess } from './candidate.js'

const KIB = 1024
const TAG_BYTES = 16
const KEY_BYTES = 32
const PUBLIC = { type: 'spki', format: 'der' } as const
const PRIVATE = { type: 'pkcs8', format: 'der' } as const

/** The least that any gateway must do: import the sender's key, agree, open, seal. */
function bareGateway(size: number): Candidate {
  const own = generateKeyPairSync('x25519').privateKey
  // Imported as JWK, which costs a tenth of what SPKI costs.
  const pair = generateKeyPairSync('x25519', { publicKeyEncoding: PUBLIC, privateKeyEncoding: PRIVATE })
  const x = pair.publicKey.subarray(-KEY_BYTES).toString('base64url')
  const jwk = { kty: 'OKP', crv: 'X25519', x }
  const key = randomBytes(16)
  const nonce = randomBytes(12)
  const seal = (plaintext: Uint8Array): Buffer => {
    const cipher = createCipheriv('aes-128-gcm', key, nonce)
    return Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()])
  }
  const sealed = seal(randomBytes(size))
  const open = (): Buffer => {
    const decipher = createDecipheriv('aes-128-gcm', key, nonce)
    decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
    return Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()])
  }
  return inProcess('bare: X25519 (key imported), AES-128-GCM open and seal', () => {
    diffieHellman({ privateKey: own, publicKey: createPublicKey({ key: jwk, format: 'jwk' }) })
    seal(open())
  })
}

function gateway(size: number, bar?: Bar): Candidate {
  const key = generateGatewayKey(1)
  const request: HttpRequest = {
    method: 'POST',
    scheme: 'https',
    authority: 'relay',
    path: '/',
    headers: [],
    content: new Uint8Array(0),
  }
  const message = startRequest(key.config).seal(encodeRequest(request, size))
  const answer = encodeResponse({ status: 200, headers: [], content: new Uint8Array(0) }, size)
  assertSound(key, message)
  return inProcess(
    'OHTTP gateway: open and seal',
    () => void openRequest(key, message).sealResponse(answer),
    bar,
  )
}

function assertSound(key: GatewayKey, message: Uint8Array): void {
  openRequest(key, message)
  const other = message.slice()
  other[100] = (other[100] ?? 0) ^ 1
  try {
    openRequest(key, other)
  } catch {
    return
  }
  throw new Error('the gateway opened a flipped message')
}

/** OHTTP open and seal against the bare primitives, at 16 KiB and 1 KiB. */
export function* benchOhttp(): Generator<Contest> {
  yield {
    title: 'OHTTP at 16 KiB',
    floor: bareGateway(16 * KIB),
    rivals: [gateway(16 * KIB, { atMost: 2 })],
    sliceMs: 60,
  }
  yield { title: 'OHTTP at 1 KiB', floor: bareGateway(KIB), rivals: [gateway(KIB)] }
}
