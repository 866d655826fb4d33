import { constants, createPublicKey, KeyObject, verify, webcrypto } from 'node:crypto'
import { type Certificate, type Evidence, parseReport, readCertificates } from '@parley/attestation'

/** The signatures of one piece of evidence, taken apart: what no verifier of it can do without. */
export type BareSignatures = {
  /** P-384 once and RSA-4096 three times, every key imported each time. */
  readonly cold: () => Promise<void>
  /** A leaf that was never seen under authorities that were: its key imported, P-384 and RSA-4096 once each. */
  readonly pinned: () => Promise<void>
  /** P-384 once. */
  readonly warm: () => void
}

const PSS = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 48 }
const SCALAR_BYTES = 48
const FIELD_BYTES = 72

// The cheapest ways in that node:crypto has: PKCS#1 for RSA, a bare point for P-384.
const importRsa = ({ publicKey }: Certificate): KeyObject =>
  createPublicKey({ key: Buffer.from(publicKey.bytes), format: 'der', type: 'pkcs1' })

const importPoint = async ({ publicKey }: Certificate): Promise<KeyObject> => {
  const curve = { name: 'ECDSA', namedCurve: 'P-384' }
  return KeyObject.from(await webcrypto.subtle.importKey('raw', publicKey.bytes, curve, false, ['verify']))
}

function hold(holds: boolean): void {
  if (!holds) throw new Error('a bare signature does not hold')
}

const verifyLink = ({ tbs, signature }: Certificate, key: KeyObject): void => {
  hold(verify('sha384', tbs, { key, ...PSS }, signature))
}

function reportVerifier(report: Uint8Array): (key: KeyObject) => void {
  const { signed_bytes, signature } = parseReport(report)
  const scalar = (at: number): Buffer => Buffer.from(signature.subarray(at, at + SCALAR_BYTES)).reverse()
  const bigEndian = Buffer.concat([scalar(0), scalar(FIELD_BYTES)])
  return (key) => {
    hold(verify('sha384', signed_bytes, { key, dsaEncoding: 'ieee-p1363' }, bigEndian))
  }
}

/** The three certificates of a chain, from the leaf up. */
export function chainOf(
  evidence: Evidence,
): readonly [leaf: Certificate, intermediate: Certificate, root: Certificate] {
  const all = readCertificates(evidence.certificates)
  const leaf = all.find((certificate) => certificate.leaf !== null)
  const intermediate = all.find(({ subject }) => subject.commonName === leaf?.issuer.commonName)
  const root = all.find(({ subject }) => subject.commonName === intermediate?.issuer.commonName)
  if (leaf === undefined || intermediate === undefined || root === undefined)
    throw new Error('no whole chain')
  return [leaf, intermediate, root]
}

/** Takes evidence apart, so that nothing but its signatures is left to be checked. */
export async function bareSignatures(evidence: Evidence): Promise<BareSignatures> {
  const [leaf, intermediate, root] = chainOf(evidence)
  const verifyReport = reportVerifier(evidence.report)
  const intermediateKey = importRsa(intermediate)
  const leafKey = await importPoint(leaf)
  return {
    cold: async () => {
      const rootKey = importRsa(root)
      verifyLink(root, rootKey)
      verifyLink(intermediate, rootKey)
      verifyLink(leaf, importRsa(intermediate))
      verifyReport(await importPoint(leaf))
    },
    pinned: async () => {
      verifyLink(leaf, intermediateKey)
      verifyReport(await importPoint(leaf))
    },
    warm: () => {
      verifyReport(leafKey)
    },
  }
}
