import { describe, expect, it } from 'vitest'
import { readCertificates } from '../../src/index.js'
import { codeOf, genuineInput } from '../evidence-folder.js'

const { certificates } = genuineInput('milan-v3-vcek')

describe('certificates from files', () => {
  it('are DER or PEM, in any order', () => {
    expect(
      readCertificates(certificates)
        .map(({ subject }) => subject.commonName)
        .sort(),
    ).toEqual(['ARK-Milan', 'SEV-Milan', 'SEV-VCEK'])
  })

  it('are 32 at most', async () => {
    const [one = new Uint8Array()] = certificates
    expect(readCertificates(new Array<Uint8Array>(32).fill(one))).toHaveLength(32)
    expect(await codeOf(() => readCertificates(new Array<Uint8Array>(33).fill(one)))).toBe(
      'certificate_malformed',
    )
  })

  it('that are anything else are refused', async () => {
    expect(await codeOf(() => readCertificates([Uint8Array.of(0x31, 0)]))).toBe('certificate_malformed')
    expect(await codeOf(() => readCertificates([new Uint8Array()]))).toBe('certificate_malformed')
  })
})
