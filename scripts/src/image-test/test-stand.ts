import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { inRepository } from '../demo/paths.js'
import { buildImage, type Image, openWorkshop, type Workshop } from '../image/build-image.js'
import { readDebPins } from '../image/deb-pins.js'
import { unpackDebs } from '../image/fetch-debs.js'
import { makeSecureBootKeys } from '../image/secure-boot-keys.js'
import { writeDisk } from '../image/write-disk.js'

/** What all machines of the test have in common. */
export type TestStand = {
  readonly folder: string
  readonly workshop: Workshop
  readonly emulator: string
  /** Secure Boot keys made for this run. */
  readonly keys: string
  readonly image: Image
  /** The firmware's variables as they leave the factory. */
  readonly blankVariables: Buffer
}

/** Fetches, builds and makes keys; everything is in a folder of its own, made anew. */
export async function openTestStand(): Promise<TestStand> {
  const folder = inRepository('out/image-test')
  rmSync(folder, { recursive: true, force: true })
  const workshop = openWorkshop(join(folder, 'work'))
  const emulator = join(folder, 'emulator')
  unpackDebs(
    readDebPins().filter(({ use }) => use === 'test'),
    emulator,
  )
  const keys = join(folder, 'keys')
  makeSecureBootKeys(keys)
  const image = await buildImage(workshop)
  const blankVariables = readFileSync(join(emulator, 'usr/share/OVMF/OVMF_VARS_4M.fd'))
  return { folder, workshop, emulator, keys, image, blankVariables }
}

/** A machine's own folder, and in it a disk that starts a program. */
export function writeMachineDisk(
  { folder, workshop }: TestStand,
  name: string,
  uki: Uint8Array,
): { readonly folder: string; readonly disk: string } {
  const own = join(folder, name)
  mkdirSync(own)
  const disk = join(own, 'disk.raw')
  writeDisk(workshop.tools, uki, own, disk)
  return { folder: own, disk }
}
