import {
  closeSync,
  ftruncateSync,
  openSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { encodeGpt, namedGuid } from './encode-gpt.js'
import { SOURCE_DATE_EPOCH } from './paths.js'
import { run } from './run.js'

const SECTOR = 512
const MIB = 1 << 20
/** Google takes disks of whole GiB. */
const DISK_BYTES = 1 << 30
const ESP_FROM = MIB
const ESP_BYTES = 256 * MIB
const EFI_SYSTEM = 'c12a7328-f81f-11d2-ba4b-00a0c93ec93b'
const LINUX_DATA = '0fc63daf-8483-4772-8e79-3d69d8477de4'

/**
 * A disk whose EFI system partition holds one program, which firmware starts. The rest is empty: the relay's records
 * are on another disk.
 * @param tools where the pinned tools are unpacked
 * @param folder for what is made on the way
 */
export function writeDisk(tools: string, uki: Uint8Array, folder: string, disk: string): void {
  const esp = writeEsp(tools, uki, folder)
  const end = ESP_FROM + ESP_BYTES
  const { head, tail } = encodeGpt(DISK_BYTES / SECTOR, [
    { name: 'esp', type: EFI_SYSTEM, first: ESP_FROM / SECTOR, last: end / SECTOR - 1 },
    { name: 'empty', type: LINUX_DATA, first: end / SECTOR, last: (DISK_BYTES - MIB) / SECTOR - 1 },
  ])
  rmSync(disk, { force: true })
  const fd = openSync(disk, 'w')
  try {
    ftruncateSync(fd, DISK_BYTES)
    writeSync(fd, head, 0, head.length, 0)
    writeSync(fd, esp, 0, esp.length, ESP_FROM)
    writeSync(fd, tail, 0, tail.length, DISK_BYTES - tail.length)
  } finally {
    closeSync(fd)
  }
}

function writeEsp(tools: string, uki: Uint8Array, folder: string): Buffer {
  const image = join(folder, 'esp.img')
  const program = join(folder, 'BOOTX64.EFI')
  writeFileSync(program, uki)
  utimesSync(program, SOURCE_DATE_EPOCH, SOURCE_DATE_EPOCH)
  writeFileSync(image, '')
  run('truncate', ['-s', String(ESP_BYTES), image])
  const env = { SOURCE_DATE_EPOCH: String(SOURCE_DATE_EPOCH), MTOOLS_SKIP_CHECK: '1' }
  const volume = namedGuid('volume').slice(0, 8)
  run(join(tools, 'sbin/mkfs.fat'), ['--invariant', '-F', '32', '-n', 'ESP', '-i', volume, image], { env })
  run(join(tools, 'usr/bin/mmd'), ['-i', image, '::/EFI', '::/EFI/BOOT'], { env })
  run(join(tools, 'usr/bin/mcopy'), ['-m', '-i', image, program, '::/EFI/BOOT/BOOTX64.EFI'], { env })
  return readFileSync(image)
}
