import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { guidText } from '../../src/measure/guid.js'
import { hashPayload, kernelHashTable } from '../../src/measure/kernel-hashes.js'

const PAYLOAD = {
  kernel: Buffer.from('a kernel'),
  initrd: Buffer.from('a file system'),
  cmdline: Buffer.from('console=ttyS0\0'),
}

const sha256 = (data: Uint8Array): string => createHash('sha256').update(data).digest('hex')

test('the table holds command line, initrd and kernel, in this order, each under its GUID', async () => {
  const table = Buffer.from(kernelHashTable(await hashPayload(PAYLOAD)))
  expect(guidText(table.subarray(0, 16))).toBe('9438d606-4f22-4cc9-b479-a793d411fd21')
  expect(table.readUInt16LE(16)).toBe(168)
  const entries = [18, 68, 118].map((at) => [
    guidText(table.subarray(at, at + 16)),
    table.readUInt16LE(at + 16),
    table.subarray(at + 18, at + 50).toString('hex'),
  ])
  expect(entries).toEqual([
    ['97d02dd8-bd20-4c94-aa78-e7714d36ab2a', 50, sha256(PAYLOAD.cmdline)],
    ['44baf731-3a2f-4bd7-9af1-41e29169781d', 50, sha256(PAYLOAD.initrd)],
    ['4de79437-abd2-427f-b835-d5b172d2045b', 50, sha256(PAYLOAD.kernel)],
  ])
})

test('the table is padded with zeros to 176 bytes', async () => {
  const table = kernelHashTable(await hashPayload(PAYLOAD))
  expect(table).toHaveLength(176)
  expect(table.subarray(168)).toEqual(new Uint8Array(8))
})
