import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type CollateralItem, itemName } from '../../../src/index.js'
import { collateralCache } from '../../../src/node/index.js'
import { codeOf } from '../../evidence-folder.js'

const ITEM: CollateralItem = {
  kind: 'vcek',
  product: 'Turin',
  hwID: new Uint8Array(8).fill(1),
  tcb: new Uint8Array(8).fill(2),
}
const BYTES = Uint8Array.of(1, 2, 3)

const fresh = (): string => join(mkdtempSync(join(tmpdir(), 'parley-cache-')), 'cache')
const read = async (directory: string, item: CollateralItem = ITEM): Promise<Uint8Array | null> => {
  const found = await collateralCache(directory).read(item)
  return found === null ? null : new Uint8Array(found)
}

describe('the cache of collateral', () => {
  it('gives back what was put in, in another process too', async () => {
    const directory = fresh()
    await collateralCache(directory).write(ITEM, BYTES)
    expect(await read(directory)).toEqual(BYTES)
  })

  it('has nothing where nothing was put in', async () => {
    expect(await read(fresh())).toBeNull()
  })

  it('is for this user alone, whatever the mask', async () => {
    const before = process.umask(0)
    try {
      const directory = fresh()
      await collateralCache(directory).write(ITEM, BYTES)
      expect(statSync(directory).mode & 0o777).toBe(0o700)
      expect(statSync(join(directory, itemName(ITEM))).mode & 0o777).toBe(0o600)
    } finally {
      process.umask(before)
    }
  })

  it('tells items apart by every byte of their TCB', async () => {
    const directory = fresh()
    await collateralCache(directory).write(ITEM, BYTES)
    expect(await read(directory, { ...ITEM, tcb: Uint8Array.of(9, 2, 2, 2, 2, 2, 2, 2) })).toBeNull()
  })

  it('replaces a file whole, and leaves no draft behind', async () => {
    const directory = fresh()
    const cache = collateralCache(directory)
    await Promise.all([BYTES, Uint8Array.of(4), Uint8Array.of(5)].map((bytes) => cache.write(ITEM, bytes)))
    await cache.write(ITEM, Uint8Array.of(6))
    expect(readdirSync(directory)).toEqual([itemName(ITEM)])
    expect(await read(directory)).toEqual(Uint8Array.of(6))
  })

  it('passes over a file that is larger than any item', async () => {
    const directory = fresh()
    mkdirSync(directory)
    writeFileSync(join(directory, itemName(ITEM)), new Uint8Array((1 << 16) + 1))
    expect(await read(directory)).toBeNull()
  })

  it('that can not be used says so, and leaves what is there', async () => {
    const directory = fresh()
    writeFileSync(directory, 'a file')
    expect(await codeOf(() => collateralCache(directory).write(ITEM, BYTES))).toBe('cache_unusable')
    expect(await codeOf(() => read(directory))).toBe('cache_unusable')
    expect(readFileSync(directory, 'utf8')).toBe('a file')
    const folder = fresh()
    mkdirSync(join(folder, itemName(ITEM)), { recursive: true })
    chmodSync(folder, 0o700)
    expect(await codeOf(() => collateralCache(folder).write(ITEM, BYTES))).toBe('cache_unusable')
    expect(readdirSync(folder)).toEqual([itemName(ITEM)])
  })
})
