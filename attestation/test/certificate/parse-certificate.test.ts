import { X509Certificate } from 'node:crypto'
import * as asn1js from 'asn1js'
import fc from 'fast-check'
import * as pkijs from 'pkijs'
import { describe, expect, it } from 'vitest'
import { AttestationError, parseCertificate, readCertificates } from '../../src/index.js'
import { codeOf, genuineInput, readVector, vectorNames } from '../evidence-folder.js'

const [leaf = new Uint8Array(), intermediate = new Uint8Array(), root = new Uint8Array()] = [
  ...genuineInput('milan-v3-vcek').certificates,
].sort((left, right) => left.length - right.length)

const chain = [leaf, intermediate, root]

const decode = (der: Uint8Array): pkijs.Certificate => pkijs.Certificate.fromBER(new Uint8Array(der))

describe('a certificate', () => {
  it('is read as two other readers read it', () => {
    for (const der of genuineInput('turin-v5-vcek').certificates) {
      const ours = parseCertificate(der)
      const nodes = new X509Certificate(der)
      const theirs = decode(der)
      expect(ours.notBeforeMs).toBe(new Date(nodes.validFrom).getTime())
      expect(ours.notAfterMs).toBe(theirs.notAfter.value.getTime())
      expect(nodes.subject).toContain(`CN=${ours.subject.commonName}`)
      expect(nodes.issuer).toContain(`CN=${ours.issuer.commonName}`)
      expect(ours.publicKey.spki).toEqual(
        new Uint8Array(nodes.publicKey.export({ type: 'spki', format: 'der' })),
      )
      expect(ours.authority.isCa).toBe(nodes.ca)
      expect(ours.tbs).toEqual(new Uint8Array(theirs.tbsView))
    }
  })

  it('with the two encodings of one algorithm inside and outside is refused', async () => {
    const certificate = decode(leaf)
    certificate.signatureAlgorithm = decode(root).signatureAlgorithm
    const mixed = new asn1js.Sequence({
      value: [
        asn1js.fromBER(new Uint8Array(certificate.tbsView)).result,
        certificate.signatureAlgorithm.toSchema(),
        certificate.signatureValue,
      ],
    })
    expect(await codeOf(() => parseCertificate(new Uint8Array(mixed.toBER())))).toBe('certificate_malformed')
  })

  it('of another authority than AMD, however good, is none of its profile', async () => {
    const certificate = decode(leaf)
    certificate.signatureAlgorithm = new pkijs.AlgorithmIdentifier({ algorithmId: '1.2.840.113549.1.1.12' })
    certificate.signature = certificate.signatureAlgorithm
    const der = new Uint8Array(certificate.toSchema(true).toBER())
    expect(await codeOf(() => parseCertificate(der))).toBe('certificate_malformed')
  })

  it('is a copy: who keeps the buffer changes nothing', () => {
    const buffer = Buffer.from(leaf)
    const certificate = parseCertificate(buffer)
    buffer.fill(0)
    expect(certificate.der).toEqual(leaf)
  })

  it('cut short anywhere is refused', async () => {
    for (let size = 0; size < leaf.length; size++) {
      expect(await codeOf(() => parseCertificate(leaf.subarray(0, size)))).toBe('certificate_malformed')
    }
  })

  it('is refused by its own code or read, whatever is written into it', () => {
    const any = fc.constantFrom(...chain)
    const writes = fc.array(fc.tuple(fc.nat({ max: 1700 }), fc.nat({ max: 255 })), {
      minLength: 1,
      maxLength: 5,
    })
    fc.assert(
      fc.property(any, writes, (der, bytes) => {
        const changed = new Uint8Array(der)
        for (const [at, byte] of bytes) if (at < changed.length) changed[at] = byte
        try {
          expect(parseCertificate(changed).der).toEqual(changed)
        } catch (error) {
          expect(error).toBeInstanceOf(AttestationError)
          expect(error).toHaveProperty('code', 'certificate_malformed')
        }
      }),
      { numRuns: 3000 },
    )
  })

  it('never says in its error what bytes it saw', async () => {
    for (const name of vectorNames().filter((vector) => vector.startsWith('leaf-'))) {
      const { evidence } = readVector(name)
      try {
        readCertificates(evidence().certificates)
      } catch (error) {
        expect(error instanceof Error ? error.message : '').toMatch(/^[\w ,.:()'-]{1,120}$/)
      }
    }
    await Promise.resolve()
  })
})
