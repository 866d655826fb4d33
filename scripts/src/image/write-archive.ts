import { spawnSync } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SOURCE_DATE_EPOCH } from './paths.js'

const BLOCK = 512

/** The archive that Google imports: one member `disk.raw` in the old GNU format, compressed by the pinned gzip. */
export function writeArchive(tools: string, disk: string, archive: string): void {
  const bytes = readFileSync(disk)
  const out = openSync(archive, 'w')
  try {
    const { status } = spawnSync(join(tools, 'bin/gzip'), ['-n', '-6'], {
      input: Buffer.concat([tarHeader('disk.raw', bytes.length), bytes, Buffer.alloc(20 * BLOCK - BLOCK)]),
      stdio: ['pipe', out, 'inherit'],
      env: {},
    })
    if (status !== 0) throw new Error(`gzip ended with ${String(status)}`)
  } finally {
    closeSync(out)
  }
}

/** A header of GNU tar 1.12, whose magic is "ustar" with two spaces. */
function tarHeader(name: string, size: number): Buffer {
  const header = Buffer.alloc(BLOCK)
  const octal = (value: number, digits: number): string => `${value.toString(8).padStart(digits, '0')}\0`
  header.write(name, 0, 'latin1')
  header.write(octal(0o644, 7) + octal(0, 7) + octal(0, 7), 100, 'latin1')
  header.write(octal(size, 11) + octal(SOURCE_DATE_EPOCH, 11), 124, 'latin1')
  header.write('        0', 148, 'latin1')
  header.write('ustar  \0root', 257, 'latin1')
  header.write('root', 297, 'latin1')
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return header
}
