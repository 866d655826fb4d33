import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { X509Certificate } from '@freedomofpress/sigstore-browser'
import { PredicateType, verifyAttestation } from '@tinfoilsh/verifier'

export const name = '@tinfoilsh/verifier 1.1.0'

const folder = dirname(fileURLToPath(import.meta.resolve('@tinfoilsh/verifier')))
const inside = (path) => import(pathToFileURL(join(folder, path)).href)

const base64 = (bytes) => Buffer.from(bytes).toString('base64')
const pem = (der) =>
  `-----BEGIN CERTIFICATE-----\n${base64(der).replace(/.{1,64}/g, '$&\n')}-----END CERTIFICATE-----`

// For evidence that ends at another root than the one it pins: what its verifyAttestation does, step by step.
const verifyUnder = async (body, vcek, ark, ask) => {
  const { base64ToBytes, decompressGzip } = await inside('attestation.js')
  const { Report } = await inside('sev/report.js')
  const { CertificateChain } = await inside('sev/cert-chain.js')
  const { verifyAttestation: verifySignatures } = await inside('sev/verify.js')
  const { validateReport, defaultValidationOptions } = await inside('sev/validation.js')
  return async () => {
    const report = new Report(await decompressGzip(base64ToBytes(body)))
    const chain = new CertificateChain(
      ...[ark, ask, base64ToBytes(vcek)].map((one) => X509Certificate.parse(one)),
    )
    if (!(await verifySignatures(chain, report))) throw new Error('signatures')
    validateReport(report, chain, defaultValidationOptions)
  }
}

/** @returns a function that verifies the evidence anew, and throws where it refuses it */
export const prepare = ({ report, leaf, intermediate, root, simulated }) => {
  const body = base64(gzipSync(report))
  const vcek = base64(leaf)
  if (simulated) return verifyUnder(body, vcek, pem(root), pem(intermediate))
  return Promise.resolve(() => verifyAttestation({ format: PredicateType.SevGuestV2, body }, vcek))
}
