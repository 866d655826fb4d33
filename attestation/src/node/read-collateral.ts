import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Certificate } from '../certificate/parse-certificate.js'
import { readCertificates } from '../certificate/read-certificates.js'
import { parseCrl, type RevocationList } from '../crl/parse-crl.js'

/** What is at hand beside what a host hands over. */
export type AtHand = {
  readonly certificates: readonly Certificate[]
  readonly crls: readonly RevocationList[]
}

/** Nothing. */
export const NOTHING_AT_HAND: AtHand = { certificates: [], crls: [] }

const CERTIFICATE = /\.(?:der|pem|cer|crt)$/
const CRL = /\.crl$/

/**
 * The certificates and CRLs of a directory: every .der, .pem, .cer and .crt file, and every .crl file.
 * @throws AttestationError certificate_malformed, crl_malformed; an error of the file system
 */
export const readCollateral = async (directory: string): Promise<AtHand> => {
  const names = (await readdir(directory)).sort()
  const read = (kind: RegExp): Promise<Uint8Array[]> =>
    Promise.all(names.filter((name) => kind.test(name)).map((name) => readFile(join(directory, name))))
  return { certificates: readCertificates(await read(CERTIFICATE)), crls: (await read(CRL)).map(parseCrl) }
}
