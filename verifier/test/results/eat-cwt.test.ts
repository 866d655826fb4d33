import { ProtocolError, signingKeyFromSeed } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import {
  CborTag,
  type CborValue,
  decodeCbor,
  encodeCbor,
  openEatCwt,
  signEatCwt,
} from '../../src/results/index.js'
import { signCose } from '../../src/results/cose-sign1.js'
import { eatClaims } from '../../src/results/eat-claims.js'
import { judgedOf, KEY, SIGNER } from './result-cases.js'
import { readFile, readVector } from './result-vectors.js'

const CWT = readFile('evidence-trusted', 'eat.cwt') ?? new Uint8Array()
const OTHER = signingKeyFromSeed(new Uint8Array(32).fill(9))

const codeOf = (bytes: Uint8Array, key = KEY.publicKey): string | null => {
  try {
    openEatCwt(bytes, key)
    return null
  } catch (error) {
    if (error instanceof ProtocolError) return error.code
    throw error
  }
}

const parts = (): CborValue[] => [...((decodeCbor(CWT) as CborTag).value as readonly CborValue[])]
const withPart = (at: number, value: CborValue): Uint8Array => {
  const items = parts()
  items[at] = value
  return encodeCbor(new CborTag(18, items))
}

describe('an EAT as a CWT', () => {
  it('holds the claims under the numbers of IANA', () => {
    const claims = openEatCwt(CWT, KEY.publicKey)
    expect([...claims.keys()]).toEqual([4, 5, 6, 8, 259, 263, 265, 266, 273])
    expect(claims.get(263)).toBe(2)
    expect(new TextDecoder().decode(claims.get(259) as Uint8Array)).toBe('SIMULATED Milan')
    const [[format, report]] = claims.get(273) as unknown as [[number, Uint8Array]]
    expect([format, report.length]).toEqual([42, 1184])
  })

  it('is deterministic: the same evidence and key give the same bytes', async () => {
    const claims = eatClaims(await judgedOf(readVector('evidence-trusted').given))
    if (claims === null) throw new Error('no view')
    expect(await signEatCwt(claims, SIGNER)).toEqual(CWT)
  })

  it('of a bundle carries the nonces of both participants', () => {
    const bytes = readFile('bundle-trusted', 'eat.cwt') ?? new Uint8Array()
    const nonces = openEatCwt(bytes, KEY.publicKey).get(10) as readonly Uint8Array[]
    expect(nonces.map(({ length }) => length)).toEqual([32, 32])
  })

  it('of the software lane says nothing of hardware', () => {
    const claims = openEatCwt(readFile('bundle-software', 'eat.cwt') ?? new Uint8Array(), KEY.publicKey)
    expect([258, 259, 263, 273].filter((key) => claims.has(key))).toEqual([])
  })

  it('with any bit turned is refused', () => {
    for (let at = 0; at < CWT.length; at += 7) {
      const bytes = Uint8Array.from(CWT)
      bytes[at] = (bytes[at] ?? 0) ^ 1
      expect(['encoding_malformed', 'signature_invalid']).toContain(codeOf(bytes))
    }
  })

  it.each<[string, () => Uint8Array | Promise<Uint8Array>, string]>([
    ['under another key', () => withPart(3, OTHER.sign(CWT)), 'signature_invalid'],
    ['with another payload', () => withPart(2, encodeCbor(new Map())), 'signature_invalid'],
    ['with a short signature', () => withPart(3, new Uint8Array(63)), 'signature_invalid'],
    ['with an unprotected header', () => withPart(1, new Map([[4, 1]])), 'encoding_malformed'],
    ['with another algorithm', () => withPart(0, encodeCbor(new Map([[1, -7]]))), 'encoding_malformed'],
    ['with an empty header', () => withPart(0, new Uint8Array(0)), 'encoding_malformed'],
    ['with a detached payload', () => withPart(2, null), 'encoding_malformed'],
    ['without its tag', () => encodeCbor(parts()), 'encoding_malformed'],
    ['under another tag', () => encodeCbor(new CborTag(98, parts())), 'encoding_malformed'],
    ['with a fifth part', () => encodeCbor(new CborTag(18, [...parts(), 1])), 'encoding_malformed'],
    [
      'of another media type',
      () => signCose('application/cwt', encodeCbor(new Map()), SIGNER),
      'encoding_malformed',
    ],
    [
      'of another profile',
      () => signCose('application/eat+cwt', encodeCbor(new Map([[265, 'tag:other']])), SIGNER),
      'encoding_malformed',
    ],
    ['that is no map', () => signCose('application/eat+cwt', encodeCbor([1]), SIGNER), 'encoding_malformed'],
    [
      'with claims that are not deterministic',
      () => signCose('application/eat+cwt', Uint8Array.of(0xa1, 0x18, 0x04, 1), SIGNER),
      'encoding_malformed',
    ],
    ['with bytes after it', () => Uint8Array.of(...CWT, 0), 'encoding_malformed'],
  ])('%s is refused', async (_, make, code) => {
    expect(codeOf(await make())).toBe(code)
  })

  it('is refused under the key of somebody else', () => {
    expect(codeOf(CWT, OTHER.publicKey)).toBe('signature_invalid')
  })
})
