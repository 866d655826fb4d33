import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { namedGuid } from './encode-gpt.js'
import { SOURCE_DATE_EPOCH } from './paths.js'
import { run } from './run.js'

const BLOCK = 4096
const TEMPLATE_BYTES = 64 << 20

/**
 * What the data disk's file system begins as, for an image that has no program to make one: a small ext4, block by
 * block after its number, without the blocks that are zero. It grows when it is mounted.
 */
export function dataTemplate(tools: string, folder: string): Buffer {
  const file = join(folder, 'data.ext4')
  const id = namedGuid('data')
  writeFileSync(file, '')
  run('truncate', ['-s', String(TEMPLATE_BYTES), file])
  const extended = `hash_seed=${id},lazy_itable_init=0,lazy_journal_init=0,nodiscard,root_owner=0:0`
  run(
    join(tools, 'sbin/mke2fs'),
    [
      '-q',
      '-F',
      '-t',
      'ext4',
      '-b',
      String(BLOCK),
      '-L',
      'parley-data',
      '-U',
      id,
      '-J',
      'size=4',
      '-E',
      extended,
      file,
    ],
    { env: { E2FSPROGS_FAKE_TIME: String(SOURCE_DATE_EPOCH), MKE2FS_CONFIG: '/dev/null' } },
  )
  return usedBlocks(readFileSync(file))
}

function usedBlocks(image: Buffer): Buffer {
  const blocks: Buffer[] = []
  for (let at = 0; at < image.length; at += BLOCK) {
    const block = image.subarray(at, at + BLOCK)
    if (block.every((byte) => byte === 0)) continue
    const number = Buffer.alloc(4)
    number.writeUInt32LE(at / BLOCK)
    blocks.push(number, block)
  }
  return Buffer.concat(blocks)
}
