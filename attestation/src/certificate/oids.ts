const base128 = (arc: number): number[] => {
  const digits = [arc & 0x7f]
  for (let rest = arc >>> 7; rest > 0; rest >>>= 7) digits.unshift((rest & 0x7f) | 0x80)
  return digits
}

const encode = (dotted: string): string => {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  return oidKey(Uint8Array.from([40 * first + second, ...rest.flatMap(base128)]))
}

/** The content of an OBJECT IDENTIFIER as a map's key: one character a byte. */
export const oidKey = (content: Uint8Array): string => {
  let key = ''
  for (const byte of content) key += String.fromCharCode(byte)
  return key
}

/** Standard objects (RFC 5280). */
export const OID = {
  commonName: encode('2.5.4.3'),
  subjectKeyIdentifier: encode('2.5.29.14'),
  keyUsage: encode('2.5.29.15'),
  basicConstraints: encode('2.5.29.19'),
  crlNumber: encode('2.5.29.20'),
  deltaCrlIndicator: encode('2.5.29.27'),
  issuingDistributionPoint: encode('2.5.29.28'),
  crlDistributionPoints: encode('2.5.29.31'),
  authorityKeyIdentifier: encode('2.5.29.35'),
} as const

/** Everything that AMD puts into a VCEK or a VLEK stands under this arc. */
export const AMD_ARC = encode('1.3.6.1.4.1.3704.1')

/** AMD's extensions (VCEK Certificate and KDS Interface Specification, AMD 57230, table of object identifiers). */
export const AMD_OID = {
  structVersion: encode('1.3.6.1.4.1.3704.1.1'),
  productName: encode('1.3.6.1.4.1.3704.1.2'),
  blSPL: encode('1.3.6.1.4.1.3704.1.3.1'),
  teeSPL: encode('1.3.6.1.4.1.3704.1.3.2'),
  snpSPL: encode('1.3.6.1.4.1.3704.1.3.3'),
  spl4: encode('1.3.6.1.4.1.3704.1.3.4'),
  spl5: encode('1.3.6.1.4.1.3704.1.3.5'),
  spl6: encode('1.3.6.1.4.1.3704.1.3.6'),
  spl7: encode('1.3.6.1.4.1.3704.1.3.7'),
  ucodeSPL: encode('1.3.6.1.4.1.3704.1.3.8'),
  fmcSPL: encode('1.3.6.1.4.1.3704.1.3.9'),
  hwID: encode('1.3.6.1.4.1.3704.1.4'),
  cspID: encode('1.3.6.1.4.1.3704.1.5'),
} as const
