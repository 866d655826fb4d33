import { describe, expect, it } from 'vitest'
import { judgeDisk } from '../../../image/init/data-disk.js'

const HEAD_BYTES = 1 << 20

function ext4(label: string): Buffer {
  const head = Buffer.alloc(HEAD_BYTES)
  head.writeUInt16LE(0xef53, 1024 + 56)
  head.write(label, 1024 + 120, 'latin1')
  return head
}

describe('a disk', () => {
  it('is ours with an ext4 of our label', () => {
    expect(judgeDisk(ext4('parley-data'))).toBe('ours')
  })

  it('is blank, and may be written to, only if its first mebibyte is zero', () => {
    expect(judgeDisk(Buffer.alloc(HEAD_BYTES))).toBe('blank')
    const last = Buffer.alloc(HEAD_BYTES)
    last[HEAD_BYTES - 1] = 1
    expect(judgeDisk(last)).toBe('foreign')
  })

  it('is foreign with another label, another file system or a partition table', () => {
    const table = Buffer.alloc(HEAD_BYTES)
    table.write('EFI PART', 512, 'latin1')
    const other = ext4('parley-data')
    other.writeUInt16LE(0xef54, 1024 + 56)
    for (const head of [ext4('data'), ext4('parley-data2'), other, table])
      expect(judgeDisk(head)).toBe('foreign')
  })

  it('that is too short for a label is foreign', () => {
    expect(judgeDisk(Buffer.from([1]))).toBe('foreign')
  })
})
