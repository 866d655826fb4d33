import { createHash } from 'node:crypto'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startChild } from './child.js'
import { readObject } from './json-object.js'
import { CLEAN_ENVIRONMENT, inRepository } from './paths.js'

/** A stand-in for a model server, and the policy bundle of a relay that may ask it. */
export type DemoModel = { readonly policyDirectory: string; stop(): Promise<void> }

// The shipped slot is two minutes, for models that think; the stand-in does not.
const MODEL_SLOT_MS = 4000

/** Starts the stand-in in a process of its own. Its program is the file whose hash the receipt names. */
export async function startDemoModel(folder: string): Promise<DemoModel> {
  const path = inRepository('scripts/dist/demo/model-stand-in.js')
  const child = startChild('model stand-in', [path], CLEAN_ENVIRONMENT)
  const port = await child.waitFor((line) => /^listening on (\d+)$/.exec(line)?.[1])
  const policyDirectory = join(folder, 'policy')
  cpSync(inRepository('infra/policy'), policyDirectory, { recursive: true })
  const write = (name: string, value: object): void => {
    writeFileSync(join(policyDirectory, name), JSON.stringify(value))
  }
  const sha256 = createHash('sha256').update(readFileSync(path)).digest('hex')
  const provider = {
    ...{ name: 'stand-in', kind: 'local', host: '127.0.0.1', port: Number(port), roots: [] },
    ...{ account: 'none', api_key: 'none', model_file: { sha256, path } },
  }
  write('providers.json', { version: 'parley-providers-v1', providers: [provider] })
  const limits = readObject(join(policyDirectory, 'limits.json'))
  write('limits.json', { ...limits, model_slot_ms: MODEL_SLOT_MS })
  return {
    policyDirectory,
    stop: async () => {
      await child.stop()
    },
  }
}
