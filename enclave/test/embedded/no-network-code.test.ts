import { fileURLToPath } from 'node:url'
import { build, type Metafile } from 'esbuild'
import { expect, test } from 'vitest'

const NETWORK = /^(?:node:)?(?:net|tls|http|https|http2|dgram|dns|cluster)(?:\/|$)/
// A call of the global function; Hono’s method of the same name answers a request that is there already.
const CALLS = /(?<![.\w])fetch\s*\(|\bnew (?:WebSocket|EventSource)\b/

/** All code that an entry point can reach, and the files that it comes from. */
const reachableFrom = async (entry: string): Promise<{ code: string; network: readonly string[] }> => {
  const { metafile, outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(`../../src/${entry}`, import.meta.url))],
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    conditions: ['source'],
    external: ['@cedar-policy/*', 'lmdb'],
    logLevel: 'silent',
  })
  return { code: outputFiles[0]?.text ?? '', network: networkFiles(metafile) }
}

// Files of which nothing is left are not in the output.
const networkFiles = ({ inputs, outputs }: Metafile): readonly string[] =>
  Object.values(outputs)
    .flatMap((output) => Object.keys(output.inputs))
    .filter((file) => inputs[file]?.imports.some(({ path }) => NETWORK.test(path)) === true)

test('UAR-25: no code of the embedded profile can open a socket', async () => {
  const { code, network } = await reachableFrom('embedded/start-embedded.ts')
  expect(network).toEqual([])
  expect(code).toContain('startEmbedded')
  expect(code).not.toMatch(CALLS)
})

test('the same search finds the sockets of a relay that listens', async () => {
  const { network } = await reachableFrom('run-relay.ts')
  expect(network).toEqual(expect.arrayContaining(['enclave/src/model/transport/connect.ts']))
})
