import { readdir, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { type Evidence, parseQuote, tableCertificates } from '@parley/attestation'
import { fromBase64url, parseCanonicalJson, parseEvidence } from '@parley/protocol'
import { attempt, readBounded } from './read-file.js'

const MAX_BYTES = 1 << 20
const CERTIFICATES: readonly string[] = ['.der', '.pem']
const OPENING_BRACE = 0x7b

/**
 * A report and its certificates from a path: a folder that holds `report.bin` and certificates as `.der` or `.pem`
 * by any name, an evidence document, or a raw quote. Null for a document of the software lane, which has none.
 * @param certificates a folder with further certificates, or undefined
 * @throws AttestationError, ProtocolError
 */
export const readEvidence = async (
  path: string,
  certificates: string | undefined,
): Promise<Evidence | null> => {
  const found = (await attempt(path, stat(path))).isDirectory()
    ? await readFolder(path)
    : await readSingle(path)
  if (found === null || certificates === undefined) return found
  return { ...found, certificates: [...found.certificates, ...(await readCertificateFiles(certificates))] }
}

const readFolder = async (path: string): Promise<Evidence> => ({
  report: await readBounded(join(path, 'report.bin'), MAX_BYTES),
  certificates: await readCertificateFiles(path),
})

const readCertificateFiles = async (path: string): Promise<readonly Uint8Array[]> => {
  const names = await attempt(path, readdir(path))
  const wanted = names.filter((name) => CERTIFICATES.includes(extname(name).toLowerCase())).sort()
  return Promise.all(wanted.map((name) => readBounded(join(path, name), MAX_BYTES)))
}

const readSingle = async (path: string): Promise<Evidence | null> => {
  const bytes = await readBounded(path, MAX_BYTES)
  if (bytes[0] === OPENING_BRACE) return fromDocument(bytes)
  const { report, table } = parseQuote(bytes)
  return { report, certificates: tableCertificates(table) }
}

const fromDocument = (bytes: Uint8Array): Evidence | null => {
  const { hardware } = parseEvidence(parseCanonicalJson(bytes)).binding
  if (hardware === null) return null
  const { report, leaf_certificate, intermediate_certificate, root_certificate } = hardware
  return {
    report: fromBase64url(report),
    certificates: [leaf_certificate, intermediate_certificate, root_certificate].map((each) =>
      fromBase64url(each),
    ),
  }
}
