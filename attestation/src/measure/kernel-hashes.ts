import { crypto } from '#crypto'
import { GUID_BYTES, guidBytes } from './guid.js'

/** What a VMM boots directly, as the bytes that it hashes. */
export type Payload = {
  readonly kernel: Uint8Array
  /** No bytes where there is no initial file system. */
  readonly initrd: Uint8Array
  /** The command line in UTF-8 with the NUL at its end. */
  readonly cmdline: Uint8Array
}

/** The SHA-256 of each part, 32 bytes. */
export type PayloadHashes = { readonly [part in keyof Payload]: Uint8Array }

/** Hashes what is booted directly. */
export const hashPayload = async ({ kernel, initrd, cmdline }: Payload): Promise<PayloadHashes> => ({
  kernel: await crypto.sha256(kernel),
  initrd: await crypto.sha256(initrd),
  cmdline: await crypto.sha256(cmdline),
})

const HEADER_GUID = '9438d606-4f22-4cc9-b479-a793d411fd21'

/** In the order of the table. */
const ENTRY_GUIDS = [
  ['cmdline', '97d02dd8-bd20-4c94-aa78-e7714d36ab2a'],
  ['initrd', '44baf731-3a2f-4bd7-9af1-41e29169781d'],
  ['kernel', '4de79437-abd2-427f-b835-d5b172d2045b'],
] as const

const TAIL_BYTES = GUID_BYTES + 2
const ENTRY_BYTES = TAIL_BYTES + 32
const TABLE_BYTES = TAIL_BYTES + 3 * ENTRY_BYTES

/** The table with its padding to a multiple of 16, in bytes. */
export const HASH_TABLE_BYTES = 176

const writeHead = (table: Uint8Array, at: number, guid: string, size: number): void => {
  table.set(guidBytes(guid), at)
  table.set([size & 0xff, size >> 8], at + GUID_BYTES)
}

/**
 * The table from which measured firmware checks what it is about to boot: SHA-256 of command line, initrd and
 * kernel, each under its GUID.
 * @see QEMU, target/i386/sev.c, PaddedSevHashTable; edk2, OvmfPkg/AmdSev/BlobVerifierLibSevHashes
 */
export const kernelHashTable = (hashes: PayloadHashes): Uint8Array => {
  const table = new Uint8Array(HASH_TABLE_BYTES)
  writeHead(table, 0, HEADER_GUID, TABLE_BYTES)
  let at = TAIL_BYTES
  for (const [part, guid] of ENTRY_GUIDS) {
    writeHead(table, at, guid, ENTRY_BYTES)
    table.set(hashes[part], at + TAIL_BYTES)
    at += ENTRY_BYTES
  }
  return table
}
