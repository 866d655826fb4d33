import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { inRepository } from '../demo/paths.js'
import { buildImage, openWorkshop } from './build-image.js'
import { sbomOf } from './sbom.js'
import { sha256Hex } from './sha256-hex.js'
import { writeArchive } from './write-archive.js'
import { writeDisk } from './write-disk.js'

/** Builds everything that is the same for everyone, keeps nothing, and says what it was. */
export async function digestsOfBuild(release: string): Promise<string> {
  const workshop = openWorkshop(inRepository('out/image-digests'))
  const image = await buildImage(workshop)
  const [disk, archive] = [join(workshop.folder, 'disk.raw'), join(workshop.folder, 'disk.tar.gz')]
  writeDisk(workshop.tools, image.uki, workshop.folder, disk)
  writeArchive(workshop.tools, disk, archive)
  const parts = {
    initrd: image.initrd,
    uki: image.uki,
    sbom: sbomOf(image, release),
    disk: readFileSync(disk),
    archive: readFileSync(archive),
  }
  rmSync(workshop.folder, { recursive: true })
  return Object.entries(parts)
    .map(([name, bytes]) => `${sha256Hex(bytes)}  ${name}\n`)
    .join('')
}
