import { malformed, readSmallInteger, TAG } from './der.js'
import type { Extensions } from './extensions.js'
import { printable } from './name.js'
import { AMD_OID } from './oids.js'

/** A security version that AMD writes into a leaf. Which of `spl4` and `fmcSPL` is there depends on the product. */
export type Spl = 'blSPL' | 'teeSPL' | 'snpSPL' | 'spl4' | 'spl5' | 'spl6' | 'spl7' | 'ucodeSPL' | 'fmcSPL'

/** What AMD's extensions say about the chip or the provider that a leaf belongs to. */
export type AmdExtensions = {
  readonly structVersion: number
  readonly productName: string
  readonly spl: Readonly<Record<Spl, number | null>>
  readonly hwID: Uint8Array | null
  readonly cspID: string | null
}

const HW_ID_BYTES = [64, 8]
const NEWEST_STRUCT_VERSION = 1

// Every value here is one short element, so its length is one byte and ends the extension.
const only = (value: Uint8Array, tag: number, name: string): Uint8Array => {
  if (value[0] !== tag || value[1] !== value.length - 2)
    throw malformed(`the extension ${name} is of another form`)
  return value.subarray(2)
}

const integer = (extensions: Extensions, name: keyof typeof AMD_OID): number | null => {
  const value = extensions.get(AMD_OID[name])
  return value === undefined ? null : readSmallInteger(only(value, TAG.integer, name))
}

// A comparison that is skipped because its extension is missing is no comparison: missing is an error.
const required = <T>(value: T | null, name: string): T => {
  if (value === null) throw malformed(`the leaf has no extension ${name}`)
  return value
}

const text = (extensions: Extensions, name: 'productName' | 'cspID'): string | null => {
  const value = extensions.get(AMD_OID[name])
  if (value === undefined) return null
  return printable(only(value, TAG.ia5String, name), name)
}

// AMD puts the bytes in bare. For a while in 2023 its service wrapped them as an OCTET STRING.
const hardwareId = (extensions: Extensions): Uint8Array | null => {
  const value = extensions.get(AMD_OID.hwID)
  if (value === undefined) return null
  const id = HW_ID_BYTES.includes(value.length) ? value : only(value, TAG.octetString, 'hwID')
  if (!HW_ID_BYTES.includes(id.length)) throw malformed(`hwID has ${id.length} bytes`)
  return id
}

const readStructVersion = (extensions: Extensions): number => {
  const version = required(integer(extensions, 'structVersion'), 'structVersion')
  if (version > NEWEST_STRUCT_VERSION) throw malformed(`structVersion is ${version}`)
  return version
}

/** Reads AMD's extensions of a leaf. */
export const readAmdExtensions = (extensions: Extensions): AmdExtensions => {
  const spl = (name: Spl): number | null => integer(extensions, name)
  return {
    structVersion: readStructVersion(extensions),
    productName: required(text(extensions, 'productName'), 'productName'),
    spl: {
      blSPL: spl('blSPL'),
      teeSPL: spl('teeSPL'),
      snpSPL: spl('snpSPL'),
      spl4: spl('spl4'),
      spl5: spl('spl5'),
      spl6: spl('spl6'),
      spl7: spl('spl7'),
      ucodeSPL: spl('ucodeSPL'),
      fmcSPL: spl('fmcSPL'),
    },
    hwID: hardwareId(extensions),
    cspID: text(extensions, 'cspID'),
  }
}
