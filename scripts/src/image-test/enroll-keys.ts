import { readFileSync } from 'node:fs'
import { guidBytes } from '../image/encode-gpt.js'
import { derFile, type SecureBootRole } from '../image/secure-boot-keys.js'

const EFI_GLOBAL = '8be4df61-93ca-11d2-aa0d-00e098032b8c'
const EFI_SECURITY_DATABASE = 'd719b2cb-3d3a-4596-a3bc-dad00e67656f'
const EFI_CERT_X509 = 'a5c059a1-94e4-4aa7-87b5-ab155c2bf072'
const AUTHENTICATED_STORE = guidBytes('aaf32c78-947b-439a-a180-2e144ec37792')
const OWNER = '7061726c-6579-4000-8000-000000000000'
const STORE_HEADER = 28
const VARIABLE_HEADER = 60
/** Kept, for boot and run time, changed under signatures with a time. */
const ATTRIBUTES = 0x27
const ADDED = 0x3f

const VARIABLES: readonly (readonly [string, string, SecureBootRole])[] = [
  ['PK', EFI_GLOBAL, 'pk'],
  ['KEK', EFI_GLOBAL, 'kek'],
  ['db', EFI_SECURITY_DATABASE, 'db'],
]

/**
 * Variables of firmware in which Secure Boot is on under own keys, as an operator's cloud sets it up.
 * @param blank edk2's variable store with nothing in it
 * @param keys folder with the certificates
 * @see edk2, MdeModulePkg/Include/Guid/VariableFormat.h
 */
export function enrollKeys(blank: Buffer, keys: string): Buffer {
  const store = Buffer.from(blank)
  let at = store.indexOf(AUTHENTICATED_STORE)
  if (at < 0) throw new Error('no store of authenticated variables')
  at += STORE_HEADER
  if (store.readUInt16LE(at) !== 0xffff) throw new Error('the store is not blank')
  for (const [name, vendor, role] of VARIABLES) {
    const variable = encodeVariable(name, vendor, signatureList(readFileSync(derFile(keys, role))))
    store.set(variable, at)
    at += Math.ceil(variable.length / 4) * 4
  }
  return store
}

function encodeVariable(name: string, vendor: string, data: Buffer): Buffer {
  const header = Buffer.alloc(VARIABLE_HEADER)
  const text = Buffer.from(`${name}\0`, 'utf16le')
  header.writeUInt16LE(0x55aa, 0)
  header[2] = ADDED
  header.writeUInt32LE(ATTRIBUTES, 4)
  // EFI_TIME of the enrolment: firmware refuses later changes that are not later.
  header.writeUInt16LE(2024, 16)
  header.set([1, 1], 18)
  header.writeUInt32LE(text.length, 36)
  header.writeUInt32LE(data.length, 40)
  header.set(guidBytes(vendor), 44)
  return Buffer.concat([header, text, data])
}

/** EFI_SIGNATURE_LIST with one certificate. */
function signatureList(certificate: Buffer): Buffer {
  const header = Buffer.alloc(28)
  const size = 16 + certificate.length
  header.set(guidBytes(EFI_CERT_X509), 0)
  header.writeUInt32LE(header.length + size, 16)
  header.writeUInt32LE(size, 24)
  return Buffer.concat([header, guidBytes(OWNER), certificate])
}
