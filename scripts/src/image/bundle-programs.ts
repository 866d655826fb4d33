import { build, type BuildOptions } from 'esbuild'
import { inRepository } from '../demo/paths.js'
import { inSources } from './paths.js'

/** The relay's and the first program's code. Packages with native parts stay beside it. */
export type Programs = {
  readonly init: Uint8Array
  readonly relay: ReadonlyMap<string, Uint8Array>
  /** Names of the npm packages that are in them. */
  readonly packages: readonly string[]
}

/** What finds its native or WebAssembly part by where it stands itself. */
const LEFT_AS_THEY_ARE = ['koffi', 'lmdb', '@cedar-policy/cedar-wasm']

const COMMON = {
  bundle: true,
  write: false,
  metafile: true,
  minifyWhitespace: true,
  platform: 'node',
  target: 'node24',
  conditions: ['source'],
  external: LEFT_AS_THEY_ARE,
  legalComments: 'none',
  logLevel: 'error',
  // Paths in what is made are relative to this, so that the folder it is made in leaves no trace.
  absWorkingDir: inRepository('.'),
} satisfies BuildOptions

/** Bundles both. What the relay loads late stays in files of its own: nothing native runs before the environment is checked. */
export async function bundlePrograms(): Promise<Programs> {
  const init = await build({
    ...COMMON,
    entryPoints: [inSources('init/main.ts')],
    format: 'cjs',
    banner: { js: '#!/usr/bin/node' },
  })
  const relay = await build({
    ...COMMON,
    entryPoints: {
      main: inRepository('enclave/src/main.ts'),
      'evaluation-worker': inRepository('enclave/src/evaluator/evaluation-worker.ts'),
    },
    format: 'esm',
    splitting: true,
    outdir: inRepository('out/bundle'),
  })
  const [script] = init.outputFiles
  if (script === undefined) throw new Error('the first program was not made')
  const prefix = `${inRepository('out/bundle')}/`
  return {
    init: script.contents,
    relay: new Map(relay.outputFiles.map(({ path, contents }) => [path.slice(prefix.length), contents])),
    packages: packagesIn([...Object.keys(init.metafile.inputs), ...Object.keys(relay.metafile.inputs)]),
  }
}

function packagesIn(paths: readonly string[]): readonly string[] {
  const names = paths.map((path) => /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1])
  return [...new Set(names.filter((name) => name !== undefined))].sort()
}
