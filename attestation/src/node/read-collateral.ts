import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Certificate } from '../certificate/parse-certificate.js'
import { readCertificates } from '../certificate/read-certificates.js'

const isCertificate = (name: string): boolean => /\.(?:der|pem|cer|crt)$/.test(name)

/**
 * The certificates of a directory: every .der, .pem, .cer and .crt file.
 * @throws AttestationError certificate_malformed; an error of the file system
 */
export const readCollateral = async (directory: string): Promise<Certificate[]> => {
  const names = (await readdir(directory)).filter(isCertificate).sort()
  return readCertificates(await Promise.all(names.map((name) => readFile(join(directory, name)))))
}
