import * as pkijs from 'pkijs'

// A verifier as one writes it with pkijs and WebCrypto: chain, dates, report signature.

export const name = 'pkijs 4 and WebCrypto'

const SCALAR_BYTES = 48
const FIELD_BYTES = 72
const SIGNED_BYTES = 0x2a0
const engine = pkijs.getCrypto(true)

const read = (der) => pkijs.Certificate.fromBER(der)

const scalar = (report, at) => report.slice(at, at + SCALAR_BYTES).reverse()

const verifyReport = async (report, leaf) => {
  const signature = new Uint8Array(2 * SCALAR_BYTES)
  signature.set(scalar(report, SIGNED_BYTES))
  signature.set(scalar(report, SIGNED_BYTES + FIELD_BYTES), SCALAR_BYTES)
  const algorithm = { name: 'ECDSA', namedCurve: 'P-384', hash: 'SHA-384' }
  const spki = leaf.subjectPublicKeyInfo.toSchema().toBER()
  const key = await crypto.subtle.importKey('spki', spki, algorithm, false, ['verify'])
  return crypto.subtle.verify(algorithm, key, signature, report.subarray(0, SIGNED_BYTES))
}

/** @returns a function that verifies the evidence anew, and throws where it refuses it */
export const prepare =
  async ({ report, leaf, intermediate, root, now }) =>
  async () => {
    const [ark, ask, vcek] = [read(root), read(intermediate), read(leaf)]
    for (const certificate of [ark, ask, vcek])
      if (certificate.notBefore.value > now || certificate.notAfter.value < now) throw new Error('dates')
    const links = [
      [ark, ark],
      [ask, ark],
      [vcek, ask],
    ]
    for (const [certificate, issuer] of links)
      if (!certificate.issuer.isEqual(issuer.subject) || !(await certificate.verify(issuer, engine)))
        throw new Error('chain')
    if (!(await verifyReport(report, vcek))) throw new Error('report')
  }
