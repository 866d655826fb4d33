import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseJson } from '@parley/protocol'
import { compactVerify, importJWK } from 'jose'
import { afterAll, describe, expect, it } from 'vitest'
import {
  earClaims,
  eatClaims,
  eatJson,
  openEatCwt,
  signDsse,
  signEar,
  signEatCwt,
  verdictStatement,
} from '../../src/results/index.js'
import { judgedOf, KEY, SIGNER } from './result-cases.js'
import { readFile, readJsonFile, readVector, vectorNames, VECTORS } from './result-vectors.js'

const FILES =
  /^(?:bundle\.json|evidence\.json|policy\.json|root\.der|expect\.json|SOURCE\.md|ear\.json|ear\.jwt|eat\.json|eat\.cwt|in-toto\.json)$/
const text = (name: string, file: string): string =>
  new TextDecoder().decode(readFile(name, file) ?? undefined)
const publicJwk = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(KEY.publicKey).toString('base64url') }

describe('the vectors of results', () => {
  const consumed = new Set<string>()
  const names = vectorNames()

  it.each(names)('%s gives the results that lie beside it', async (name) => {
    const { given, expected } = readVector(name)
    const judged = await judgedOf(given)
    expect(judged.verdict.exit_code).toBe(expected.exit_code)
    const ear = earClaims(judged)
    expect(ear).toEqual(readJsonFile(name, 'ear.json'))
    expect(ear).toMatchObject({
      submods: { cpu0: { 'ear.status': expected.cpu0 }, relay: { 'ear.status': expected.relay } },
    })
    expect(`${await signEar(judged, SIGNER)}\n`).toBe(text(name, 'ear.jwt'))
    expect(await signDsse(verdictStatement(judged), SIGNER)).toEqual(readJsonFile(name, 'in-toto.json'))
    consumed.add(name)
  })

  it.each(names)('%s has a view of its evidence exactly where something of it holds', async (name) => {
    const judged = await judgedOf(readVector(name).given)
    const claims = eatClaims(judged)
    expect(claims === null).toBe(judged.verdict.assurance_level === null)
    if (claims === null) {
      expect([readFile(name, 'eat.json'), readFile(name, 'eat.cwt')]).toEqual([null, null])
      return
    }
    expect(eatJson(claims)).toEqual(readJsonFile(name, 'eat.json'))
    expect(await signEatCwt(claims, SIGNER)).toEqual(readFile(name, 'eat.cwt'))
  })

  it.each(names)(
    '%s: its EAR is verified by a JOSE library, and holds the claims that lie beside it',
    async (name) => {
      const { payload, protectedHeader } = await compactVerify(
        text(name, 'ear.jwt').trim(),
        await importJWK(publicJwk, 'EdDSA'),
      )
      expect(protectedHeader).toEqual({ alg: 'EdDSA', kid: SIGNER.keyId, typ: 'eat+jwt' })
      expect(parseJson(payload)).toEqual(readJsonFile(name, 'ear.json'))
    },
  )

  it.each(names)('%s: its CWT opens under the key that signed it', (name) => {
    const cwt = readFile(name, 'eat.cwt')
    if (cwt !== null)
      expect(openEatCwt(cwt, KEY.publicKey).get(6)).toBe(Date.parse(readVector(name).expected.now) / 1000)
  })

  it('refuse more than they accept, and name every simulation', () => {
    const codes = names.map((name) => readVector(name).expected.exit_code)
    expect(codes.filter((code) => code !== 0).length).toBeGreaterThan(codes.length / 2)
    for (const name of names) {
      const ear = text(name, 'ear.json')
      expect(ear.includes('"simulated": true')).toBe(ear.includes('#SIMULATED'))
    }
  })

  it('hold nothing that this runner does not read', () => {
    for (const name of names) for (const file of readdirSync(join(VECTORS, name))) expect(file).toMatch(FILES)
  })

  afterAll(() => {
    expect([...consumed].sort()).toEqual(names)
  })
})
