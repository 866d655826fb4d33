import { createHash } from 'node:crypto'
import type { LoggedEvent } from './encode-event-log.js'

/** What is booted, and how. */
export type BootedImage = {
  /** Authenticode SHA-256 of the unified kernel image. */
  readonly uki: Uint8Array
  readonly commandLine: string
  /** Off: the stub has firmware start the kernel in the image, a second application. */
  readonly secureBoot: boolean
  /** Authenticode SHA-256 of that kernel. */
  readonly innerKernel: Uint8Array
}

// TCG PC Client Platform Firmware Profile, §10.4.1.
const SEPARATOR = 0x4
const CRTM_VERSION = 0x8
const IPL = 0xd
const VARIABLE = 0x80000001
const APPLICATION = 0x80000003
const ACTION = 0x80000007
const AUTHORITY = 0x800000e0

const GLOBAL = Buffer.from('61dfe48bca93d211aa0d00e098032b8c', 'hex')
const SECURITY_DATABASE = Buffer.from('cbb219d73a3d9645a3bcdad00e67656f', 'hex')

const variable = (guid: Buffer, name: string, value: Uint8Array): Buffer => {
  const sizes = Buffer.alloc(16)
  sizes.writeBigUInt64LE(BigInt(name.length), 0)
  sizes.writeBigUInt64LE(BigInt(value.length), 8)
  return Buffer.concat([guid, sizes, Buffer.from(name, 'utf16le'), value])
}

const text = (content: string): Buffer => Buffer.from(content, 'ascii')
const sha256 = (content: Uint8Array): Buffer => createHash('sha256').update(content).digest()

const secureBootEvents = (on: boolean): readonly LoggedEvent[] => [
  { pcr: 7, type: VARIABLE, data: variable(GLOBAL, 'SecureBoot', Uint8Array.of(on ? 1 : 0)) },
  { pcr: 7, type: VARIABLE, data: variable(GLOBAL, 'PK', text(on ? 'a platform key' : '')) },
  { pcr: 7, type: VARIABLE, data: variable(GLOBAL, 'KEK', text(on ? 'a key exchange key' : '')) },
  {
    pcr: 7,
    type: VARIABLE,
    data: variable(SECURITY_DATABASE, 'db', text(on ? 'the signer of the image' : '')),
  },
  { pcr: 7, type: VARIABLE, data: variable(SECURITY_DATABASE, 'dbx', new Uint8Array()) },
  { pcr: 7, type: SEPARATOR, data: new Uint8Array(4) },
]

const section = (name: string, content: Uint8Array): readonly LoggedEvent[] => {
  const data = Buffer.from(`${name}\0`, 'utf16le')
  return [
    { pcr: 11, type: IPL, data, digest: sha256(text(`${name}\0`)) },
    { pcr: 11, type: IPL, data, digest: sha256(content) },
  ]
}

const application = (digest: Uint8Array): LoggedEvent => ({
  pcr: 4,
  type: APPLICATION,
  data: text('a device path'),
  digest,
})

/** The events of a boot, in the order in which OVMF and a stub of systemd log them. */
export const bootOfImage = ({
  uki,
  commandLine,
  secureBoot,
  innerKernel,
}: BootedImage): readonly LoggedEvent[] => [
  { pcr: 0, type: CRTM_VERSION, data: Buffer.from('a firmware\0', 'utf16le') },
  ...secureBootEvents(secureBoot),
  { pcr: 4, type: ACTION, data: text('Calling EFI Application from Boot Option') },
  ...[0, 1, 2, 3, 4, 5, 6].map((pcr): LoggedEvent => ({ pcr, type: SEPARATOR, data: new Uint8Array(4) })),
  ...(secureBoot
    ? [{ pcr: 7, type: AUTHORITY, data: variable(SECURITY_DATABASE, 'db', text('the signer of the image')) }]
    : []),
  application(uki),
  ...section('.linux', text('a kernel')),
  ...section('.cmdline', text(commandLine)),
  ...section('.initrd', text('an initrd')),
  ...(secureBoot ? [] : [application(innerKernel)]),
  { pcr: 5, type: ACTION, data: text('Exit Boot Services Invocation') },
  { pcr: 5, type: ACTION, data: text('Exit Boot Services Returned with Success') },
]
