import { crc32 } from 'node:zlib'
import { sha256Hex } from './sha256-hex.js'

const SECTOR = 512
const ENTRIES = 128
const ENTRY_BYTES = 128
const TABLE_SECTORS = (ENTRIES * ENTRY_BYTES) / SECTOR
const HEADER_BYTES = 92
const PROTECTIVE = 0xee

/** A partition in sectors of 512 bytes, the last one included. */
export type Partition = {
  readonly name: string
  /** GUID of its kind. */
  readonly type: string
  readonly first: number
  readonly last: number
}

/** What stands at the two ends of a disk (UEFI specification, "GUID Partition Table Disk Layout"). */
export type Gpt = { readonly head: Buffer; readonly tail: Buffer }

/** A partition table whose GUIDs follow from names, so that it is the same each time. */
export function encodeGpt(sectors: number, partitions: readonly Partition[]): Gpt {
  const table = Buffer.concat(partitions.map(encodeEntry), ENTRIES * ENTRY_BYTES)
  const last = sectors - 1
  const header = (own: number, other: number, tableAt: number): Buffer =>
    encodeHeader({ own, other, tableAt, lastUsable: last - TABLE_SECTORS - 1, table })
  return {
    head: Buffer.concat([protectiveRecord(sectors), header(1, last, 2), table]),
    tail: Buffer.concat([table, header(last, 1, last - TABLE_SECTORS)]),
  }
}

type Header = {
  readonly own: number
  readonly other: number
  readonly tableAt: number
  readonly lastUsable: number
  readonly table: Buffer
}

function encodeHeader({ own, other, tableAt, lastUsable, table }: Header): Buffer {
  const header = Buffer.alloc(SECTOR)
  header.write('EFI PART', 0, 'latin1')
  header.writeUInt32LE(0x10000, 8)
  header.writeUInt32LE(HEADER_BYTES, 12)
  header.writeBigUInt64LE(BigInt(own), 24)
  header.writeBigUInt64LE(BigInt(other), 32)
  header.writeBigUInt64LE(BigInt(2 + TABLE_SECTORS), 40)
  header.writeBigUInt64LE(BigInt(lastUsable), 48)
  header.set(guidBytes(namedGuid('disk')), 56)
  header.writeBigUInt64LE(BigInt(tableAt), 72)
  header.writeUInt32LE(ENTRIES, 80)
  header.writeUInt32LE(ENTRY_BYTES, 84)
  header.writeUInt32LE(crc32(table), 88)
  header.writeUInt32LE(crc32(header.subarray(0, HEADER_BYTES)), 16)
  return header
}

function encodeEntry({ name, type, first, last }: Partition): Buffer {
  const entry = Buffer.alloc(ENTRY_BYTES)
  entry.set(guidBytes(type), 0)
  entry.set(guidBytes(namedGuid(name)), 16)
  entry.writeBigUInt64LE(BigInt(first), 32)
  entry.writeBigUInt64LE(BigInt(last), 40)
  entry.write(name, 56, 72, 'utf16le')
  return entry
}

/** The record that tells programs of before GPT that the disk is full. */
function protectiveRecord(sectors: number): Buffer {
  const record = Buffer.alloc(SECTOR)
  record.set([0, 0, 2, 0, PROTECTIVE, 0xff, 0xff, 0xff], 446)
  record.writeUInt32LE(1, 454)
  record.writeUInt32LE(sectors - 1, 458)
  record.set([0x55, 0xaa], 510)
  return record
}

/** A GUID of version 8 (RFC 9562) from a name. */
export function namedGuid(name: string): string {
  const hex = sha256Hex(`parley image ${name}`)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** The bytes of a GUID: the first three groups little-endian. */
export function guidBytes(guid: string): Buffer {
  const [a = '', b = '', c = '', d = '', e = ''] = guid.split('-')
  const reversed = (hex: string): Buffer => Buffer.from(hex, 'hex').reverse()
  return Buffer.concat([reversed(a), reversed(b), reversed(c), Buffer.from(d + e, 'hex')])
}
