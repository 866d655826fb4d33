import { closeSync, fsyncSync, openSync, readdirSync, readFileSync, readSync, writeSync } from 'node:fs'
import { BootError } from './boot-error.js'
import { diskIoctl } from './libc.js'

const CLASS = '/sys/class/block'
const WHOLE_DISK = /^(?:nvme\d+n\d+|sd[a-z]+|vd[a-z]+)$/
const HEAD_BYTES = 1 << 20
const BLOCK_BYTES = 4096
const RESIZE_FS = 0x40086610
const SUPERBLOCK = 1024

/** The label of the file system, which the image's template has. */
export const DISK_LABEL = 'parley-data'

/** A disk that is there, by what its first mebibyte says. */
export type DiskState = 'ours' | 'blank' | 'foreign'

/** What stands on a disk. The boot disk has a partition table, so it is foreign. */
export function judgeDisk(head: Buffer): DiskState {
  if (head.every((byte) => byte === 0)) return 'blank'
  const label = head.toString('latin1', SUPERBLOCK + 120, SUPERBLOCK + 136).replace(/\0+$/, '')
  return head.length > SUPERBLOCK + 136 &&
    head.readUInt16LE(SUPERBLOCK + 56) === 0xef53 &&
    label === DISK_LABEL
    ? 'ours'
    : 'foreign'
}

/**
 * The device of the data disk; one that is blank gets a file system first. No other disk is written to.
 * @param template blocks of a small file system, each after its number
 * @throws BootError disk_refused if there is not exactly one such disk
 */
export function prepareDataDisk(template: string): string {
  const found = disks()
    .map((name) => ({ device: `/dev/${name}`, state: judgeDisk(readHead(`/dev/${name}`)) }))
    .filter(({ state }) => state !== 'foreign')
  const [disk] = found
  if (disk === undefined || found.length > 1)
    throw new BootError('disk_refused', `${found.length} disks are blank or labelled ${DISK_LABEL}, not one`)
  if (disk.state === 'blank') writeTemplate(disk.device, readFileSync(template))
  return disk.device
}

/** Whole disks, in the kernel's names. */
function disks(): readonly string[] {
  const isDisk = (name: string): boolean => WHOLE_DISK.test(name) && sectors(name) * 512 >= HEAD_BYTES
  return readdirSync(CLASS).filter(isDisk).sort()
}

const sectors = (name: string): number => Number(readFileSync(`${CLASS}/${name}/size`, 'utf8'))

function readHead(device: string): Buffer {
  const head = Buffer.alloc(HEAD_BYTES)
  const fd = openSync(device, 'r')
  try {
    return head.subarray(0, readSync(fd, head, 0, HEAD_BYTES, 0))
  } finally {
    closeSync(fd)
  }
}

function writeTemplate(device: string, blocks: Buffer): void {
  const fd = openSync(device, 'r+')
  try {
    for (let at = 0; at < blocks.length; at += 4 + BLOCK_BYTES)
      writeSync(fd, blocks, at + 4, BLOCK_BYTES, blocks.readUInt32LE(at) * BLOCK_BYTES)
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

/** Lets a mounted file system fill its disk. */
export function growFileSystem(device: string, mountPoint: string): void {
  const size = Buffer.alloc(8)
  size.writeBigUInt64LE(BigInt(Math.floor((sectors(device.slice('/dev/'.length)) * 512) / BLOCK_BYTES)))
  const fd = openSync(mountPoint, 'r')
  try {
    diskIoctl(fd, RESIZE_FS, size)
  } finally {
    closeSync(fd)
  }
}
