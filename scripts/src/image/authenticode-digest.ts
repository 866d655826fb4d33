import { createHash } from 'node:crypto'
import { readPe } from './pe-image.js'

/**
 * The SHA-256 that a signature over a PE image covers, and that firmware measures into PCR 4: everything but the
 * checksum, the pointer to the signatures and the signatures. Signing does not change it.
 * @see Microsoft, Windows Authenticode Portable Executable Signature Format, "Calculating the PE Image Hash"
 */
export function authenticodeDigest(image: Buffer): Buffer {
  const { checkSumAt, certificateTableAt, sizeOfHeaders, sections } = readPe(image)
  const certificatesFrom = image.readUInt32LE(certificateTableAt)
  const end = certificatesFrom === 0 ? image.length : certificatesFrom
  const hash = createHash('sha256')
    .update(image.subarray(0, checkSumAt))
    .update(image.subarray(checkSumAt + 4, certificateTableAt))
    .update(image.subarray(certificateTableAt + 8, sizeOfHeaders))
  let hashed = sizeOfHeaders
  for (const { rawOffset, rawSize } of [...sections].sort((a, b) => a.rawOffset - b.rawOffset)) {
    hash.update(image.subarray(rawOffset, rawOffset + rawSize))
    hashed += rawSize
  }
  return hash.update(image.subarray(Math.min(hashed, end), end)).digest()
}
