import { der, derHex, TAG } from './der.js'

/** The attributes in the order in which Go writes a name: the common name is not the last one. */
const ATTRIBUTES = [
  { oid: '550406', text: () => 'USA' },
  { oid: '55040a', text: () => 'Google' },
  { oid: '55040b', text: () => 'Engineering' },
  { oid: '550407', text: () => 'Kirkland' },
  { oid: '550408', text: () => 'WA' },
  { oid: '550403', text: (commonName: string) => commonName },
  { oid: '550405', text: (_: string, serial: number) => String(serial) },
]

/** DER of a distinguished name as Google's firmware authority writes it. */
export const googleName = (commonName: string, serial: number): Buffer =>
  der(
    TAG.sequence,
    ...ATTRIBUTES.map(({ oid, text }) => {
      const value = der(TAG.printableString, Buffer.from(text(commonName, serial), 'ascii'))
      return der(TAG.set, der(TAG.sequence, derHex(TAG.oid, oid), value))
    }),
  )
