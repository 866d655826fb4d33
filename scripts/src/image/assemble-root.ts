import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { canonicalize } from '@parley/protocol'
import { inRepository } from '../demo/paths.js'
import { runForBytes } from './run.js'
import { createRootTree, type RootTree } from './root-tree.js'
import type { Programs } from './bundle-programs.js'
import { sha256Hex } from './sha256-hex.js'

/** In the order in which they need each other; what else the machine needs is in the kernel itself. */
const MODULES = [
  'net/core/failover',
  'drivers/net/net_failover',
  'drivers/net/virtio_net',
  'drivers/net/ethernet/google/gve/gve',
  'fs/configfs/configfs',
  'drivers/virt/coco/tsm',
  'drivers/virt/coco/sev-guest/sev-guest',
]

/** Hardware that is not there has no module that loads. */
const OPTIONAL = new Set(['sev-guest'])

const LIBRARIES = [
  'libc.so.6',
  'libdl.so.2',
  'libm.so.6',
  'libpthread.so.0',
  'libgcc_s.so.1',
  'libstdc++.so.6',
]

/** Packages that stand in the image as they are: those with native parts, and what they need. */
export const PACKAGES = [
  'koffi',
  '@koromix/koffi-linux-x64',
  'lmdb',
  '@lmdb/lmdb-linux-x64',
  '@cedar-policy/cedar-wasm',
  '@harperfast/extended-iterable',
  'msgpackr',
  'node-gyp-build-optional-packages',
  'detect-libc',
  'ordered-binary',
  'weak-lru-cache',
]

type Module = { readonly path: string; readonly optional: boolean }

/** What a root is made from. */
export type RootParts = {
  /** Where the pinned packages are unpacked. */
  readonly debs: string
  readonly kernelVersion: string
  /** The Node that the image ships. */
  readonly node: string
  readonly programs: Programs
  /** Blocks of the data disk's first file system. */
  readonly dataBlocks: Uint8Array
  /** A module that only a test image has; null in every other. */
  readonly testModule: Uint8Array | null
}

/** The image's file system, and the digest by which keysets name it. */
export type Root = { readonly tree: RootTree; readonly digest: string }

export function assembleRoot(parts: RootParts): Root {
  const tree = createRootTree()
  for (const folder of ['/proc', '/sys', '/run', '/data', '/tmp']) tree.addFolder(folder)
  tree.addConsole('/dev/console')
  tree.addFile('/init', parts.programs.init, true)
  tree.addFile('/usr/bin/node', readFileSync(parts.node), true)
  addLibraries(tree, parts.debs)
  tree.addFile('/parley/modules.json', canonicalize(addModules(tree, parts)))
  addRelay(tree, parts.programs)
  tree.addFile('/parley/data.blocks', parts.dataBlocks)
  const digest = digestOf(tree)
  tree.addFile('/parley/relay.json', canonicalize(relayConfig(digest)))
  return { tree, digest }
}

function addLibraries(tree: RootTree, debs: string): void {
  for (const name of LIBRARIES)
    tree.addFile(`/lib/x86_64-linux-gnu/${name}`, readFileSync(findLibrary(debs, name)), true)
  tree.addFile('/lib64/ld-linux-x86-64.so.2', readFileSync(findLibrary(debs, 'ld-linux-x86-64.so.2')), true)
}

function findLibrary(debs: string, name: string): string {
  for (const folder of ['lib/x86_64-linux-gnu', 'usr/lib/x86_64-linux-gnu'])
    if (listed(join(debs, folder)).includes(name)) return join(debs, folder, name)
  throw new Error(`no package has ${name}`)
}

function listed(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function addModules(tree: RootTree, { debs, kernelVersion, testModule }: RootParts): readonly Module[] {
  const modules = MODULES.map((module) => {
    const name = module.slice(module.lastIndexOf('/') + 1)
    const source = join(debs, 'lib/modules', kernelVersion, 'kernel', `${module}.ko.xz`)
    tree.addFile(`/lib/modules/${name}.ko`, runForBytes('xz', ['-dc', source]))
    return { path: `/lib/modules/${name}.ko`, optional: OPTIONAL.has(name) }
  })
  if (testModule === null) return modules
  tree.addFile('/lib/modules/parley_test_tsm.ko', testModule)
  return [...modules, { path: '/lib/modules/parley_test_tsm.ko', optional: false }]
}

function addRelay(tree: RootTree, { relay }: Programs): void {
  for (const [name, bytes] of relay) tree.addFile(`/parley/app/${name}`, bytes)
  tree.addFile('/parley/app/package.json', '{"type":"module"}\n')
  tree.addCopy(inRepository('infra/policy'), '/parley/policy')
  tree.addCopy(inRepository('registry'), '/parley/registry', (path) => path.endsWith('.json'))
  for (const name of PACKAGES) addPackage(tree, name)
}

/** What Node runs of a package. Other systems' binaries, sources and documents stay out. */
function addPackage(tree: RootTree, name: string): void {
  const folder = inRepository(`node_modules/${name}`)
  const runs = (path: string): boolean =>
    /\.(?:[cm]?js|json)$|linux_x64\/koffi\.node$|node\.napi\.glibc\.node$|nodejs\/cedar_wasm_bg\.wasm$/.test(
      path,
    ) && !/\/(?:test|tests|benchmark|doc|vendor|dependencies|esm|web)\//.test(path.slice(folder.length))
  tree.addCopy(folder, `/node_modules/${name}`, runs)
}

/** SHA-256 of every file by its path: what a keyset's `image_digest` says. */
const digestOf = ({ entries }: RootTree): string =>
  sha256Hex(
    canonicalize(
      Object.fromEntries(
        [...entries].flatMap(([path, entry]) =>
          entry.kind === 'file' ? [[path, sha256Hex(entry.bytes)]] : [],
        ),
      ),
    ),
  )

/** What the host has no say in. The one file that the digest leaves out, for it holds the digest. */
const relayConfig = (digest: string) => ({
  store_directory: '/data/store',
  policy_directory: '/parley/policy',
  registry_directory: '/parley/registry',
  image_digest: digest,
})
