import { equalBytes } from '../equal-bytes.js'
import type { Certificate } from './parse-certificate.js'

/** Certificates without those that occur again, byte for byte: a stranger who repeats one buys no work with it. */
export const distinctCertificates = (certificates: readonly Certificate[]): Certificate[] =>
  certificates.filter((one, at) => certificates.findIndex(({ der }) => equalBytes(der, one.der)) === at)
