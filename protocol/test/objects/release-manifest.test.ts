import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  parseCanonicalJson,
  parseEd25519PublicKey,
  parseReleaseManifest,
  ProtocolError,
  type ReleaseManifest,
  signingKeyFromSeed,
  signReleaseManifest,
  verifyReleaseManifest,
} from '../../src/index.js'
import { label } from '../../src/labels.js'
import { signObject } from '../../src/signed-object.js'

const file = join(import.meta.dirname, '../../vectors/objects/release-manifest/value.json')
const manifest = parseReleaseManifest(parseCanonicalJson(readFileSync(file, 'utf8')))
const { signature: _, ...unsigned } = manifest
const publisher = signingKeyFromSeed(new Uint8Array(32).fill(7))
const stranger = signingKeyFromSeed(new Uint8Array(32).fill(8))

const codeOf = (run: () => unknown): string => {
  try {
    run()
    return 'accepted'
  } catch (error) {
    return error instanceof ProtocolError ? error.code : 'another error'
  }
}

const verified = (read: ReleaseManifest): string =>
  codeOf(() => {
    verifyReleaseManifest(read, parseEd25519PublicKey(publisher.publicKey))
  })

describe('a release manifest', () => {
  const signed = signReleaseManifest(unsigned, publisher)

  it('is accepted under the key that signed it', () => {
    expect(verified(signed)).toBe('accepted')
  })

  it('is refused as signature_invalid under any other key', () => {
    expect(verified(signReleaseManifest(unsigned, stranger))).toBe('signature_invalid')
  })

  it('is refused as signature_invalid where any member was changed after it was signed', () => {
    const other = '0'.repeat(64)
    expect(verified({ ...signed, image_digest: other })).toBe('signature_invalid')
    expect(verified({ ...signed, sbom: other })).toBe('signature_invalid')
    expect(verified({ ...signed, pcrs: { ...signed.pcrs, '11': other } })).toBe('signature_invalid')
    expect(verified({ ...signed, uki: { ...signed.uki, authenticode: other } })).toBe('signature_invalid')
  })

  it('is refused as signature_invalid under the label of the software lane: an image runs in the confidential one', () => {
    const signature = signObject(label('software', 'release'), unsigned, publisher)
    expect(verified({ ...unsigned, signature })).toBe('signature_invalid')
  })

  it('is refused as object_malformed with no input, a PCR more or less, or a measurement of another length', () => {
    const { '12': _, ...fewer } = signed.pcrs
    const [launch] = signed.direct_launch.launches
    const short = { ...signed.direct_launch, launches: [{ ...launch, measurement: 'aa' }] }
    for (const changed of [
      { ...signed, inputs: [] },
      { ...signed, pcrs: fewer },
      { ...signed, pcrs: { ...signed.pcrs, '7': '0'.repeat(64) } },
      { ...signed, direct_launch: short },
    ])
      expect(codeOf(() => parseReleaseManifest(changed as never))).toBe('object_malformed')
  })
})
