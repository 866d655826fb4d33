import { constants } from 'node:os'

/** Requests of the kernel that are answered here (Linux, include/uapi/linux/fuse.h). */
export const OPCODE = {
  LOOKUP: 1,
  FORGET: 2,
  GETATTR: 3,
  SETATTR: 4,
  MKDIR: 9,
  RMDIR: 11,
  OPEN: 14,
  READ: 15,
  WRITE: 16,
  RELEASE: 18,
  FLUSH: 25,
  INIT: 26,
  OPENDIR: 27,
  READDIR: 28,
  RELEASEDIR: 29,
  IOCTL: 39,
  BATCH_FORGET: 42,
} as const

const IN_HEADER_BYTES = 40
const OUT_HEADER_BYTES = 16
const DIRECTORY = 0o040000
const FILE = 0o100000
const DIRECT_IO = 1

/** One request, taken apart. */
export type Request = {
  readonly opcode: number
  readonly unique: bigint
  readonly node: number
  /** Whose thread waits for the answer. */
  readonly pid: number
  readonly body: Buffer
}

export const parseRequest = (bytes: Buffer): Request => ({
  opcode: bytes.readUInt32LE(4),
  unique: bytes.readBigUInt64LE(8),
  node: Number(bytes.readBigUInt64LE(16)),
  pid: bytes.readUInt32LE(32),
  body: bytes.subarray(IN_HEADER_BYTES),
})

const errnoOf = (code: string): number =>
  Object.entries(constants.errno).find(([name]) => name === code)?.[1] ?? constants.errno.EIO

/** An answer: data, or the name of an error. */
export const encodeReply = (
  unique: bigint,
  error: string | null,
  data: Uint8Array = new Uint8Array(),
): Buffer => {
  const header = Buffer.alloc(OUT_HEADER_BYTES)
  header.writeUInt32LE(OUT_HEADER_BYTES + data.length, 0)
  header.writeInt32LE(error === null ? 0 : -errnoOf(error), 4)
  header.writeBigUInt64LE(unique, 8)
  return Buffer.concat([header, data])
}

/** A name in a request. */
export const readName = (body: Buffer, at = 0): string => body.subarray(at, body.indexOf(0, at)).toString()

/** What is at a place of the tree: a directory, or a file with its permissions. */
export type NodeMode = { readonly directory: boolean; readonly mode: number }

const attributes = (node: number, { directory, mode }: NodeMode): Buffer => {
  const bytes = Buffer.alloc(88)
  bytes.writeBigUInt64LE(BigInt(node), 0)
  bytes.writeUInt32LE((directory ? DIRECTORY : FILE) | mode, 60)
  bytes.writeUInt32LE(directory ? 2 : 1, 64)
  bytes.writeUInt32LE(4096, 80)
  return bytes
}

export const encodeAttributes = (node: number, mode: NodeMode): Buffer =>
  Buffer.concat([Buffer.alloc(16), attributes(node, mode)])

/** Times of validity stay zero: the kernel asks again each time. */
export const encodeEntry = (node: number, mode: NodeMode): Buffer => {
  const head = Buffer.alloc(40)
  head.writeBigUInt64LE(BigInt(node), 0)
  return Buffer.concat([head, attributes(node, mode)])
}

export const encodeInit = (): Buffer => {
  const bytes = Buffer.alloc(64)
  bytes.writeUInt32LE(7, 0)
  bytes.writeUInt32LE(31, 4)
  bytes.writeUInt32LE(65536, 8)
  bytes.writeUInt16LE(12, 16)
  bytes.writeUInt16LE(10, 18)
  bytes.writeUInt32LE(65536, 20)
  bytes.writeUInt32LE(1, 24)
  return bytes
}

/** Without a cache in between, as configfs is. */
export const encodeOpen = (handle: bigint): Buffer => {
  const bytes = Buffer.alloc(16)
  bytes.writeBigUInt64LE(handle, 0)
  bytes.writeUInt32LE(DIRECT_IO, 8)
  return bytes
}

export const encodeWritten = (size: number): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeUInt32LE(size, 0)
  return bytes
}

export const encodeDirectory = (names: readonly string[]): Buffer =>
  Buffer.concat(
    names.map((name, at) => {
      const text = Buffer.from(name)
      const bytes = Buffer.alloc((24 + text.length + 7) & ~7)
      bytes.writeBigUInt64LE(BigInt(at + 2), 0)
      bytes.writeBigUInt64LE(BigInt(at + 1), 8)
      bytes.writeUInt32LE(text.length, 16)
      text.copy(bytes, 24)
      return bytes
    }),
  )

/** What an ioctl returns, and what it leaves in its argument. */
export const encodeIoctl = (error: string | null, argument: Uint8Array): Buffer => {
  const bytes = Buffer.alloc(16)
  bytes.writeInt32LE(error === null ? 0 : -errnoOf(error), 0)
  return Buffer.concat([bytes, argument])
}
