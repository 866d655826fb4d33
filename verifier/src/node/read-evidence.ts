import { readdir, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { AttestationError, type Evidence } from '@parley/attestation'
import { evidenceInFile } from '../evidence-in-file.js'
import { attempt, readBounded } from './read-file.js'

const MAX_BYTES = 1 << 20
const CERTIFICATES: readonly string[] = ['.der', '.pem']
const CRL: readonly string[] = ['.crl']

/**
 * A report and its certificates from a path: a folder that holds `report.bin`, certificates as `.der` or `.pem` by
 * any name and perhaps a CRL as `.crl`, an evidence document, or a raw quote. Null for a document of the software lane, which has none.
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

/**
 * The certificates in a folder, each file's bytes as they are.
 * @throws AttestationError
 */
export const readCertificateFiles = (path: string): Promise<readonly Uint8Array[]> =>
  readFiles(path, CERTIFICATES)

const readFolder = async (path: string): Promise<Evidence> => ({
  report: await readBounded(join(path, 'report.bin'), MAX_BYTES),
  certificates: await readFiles(path, CERTIFICATES),
  ...(await readCrl(path)),
})

const readCrl = async (path: string): Promise<{ readonly crl?: Uint8Array }> => {
  const [crl, ...more] = await readFiles(path, CRL)
  if (more.length > 0) throw new AttestationError('argument_invalid', `${path} holds more than one CRL`)
  return crl === undefined ? {} : { crl }
}

const readFiles = async (path: string, extensions: readonly string[]): Promise<readonly Uint8Array[]> => {
  const names = await attempt(path, readdir(path))
  const wanted = names.filter((name) => extensions.includes(extname(name).toLowerCase())).sort()
  return Promise.all(wanted.map((name) => readBounded(join(path, name), MAX_BYTES)))
}

const readSingle = async (path: string): Promise<Evidence | null> =>
  evidenceInFile(await readBounded(path, MAX_BYTES))
