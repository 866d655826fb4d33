import { readFile, stat } from 'node:fs/promises'
import { type JsonValue, parseJson, ProtocolError } from '@parley/protocol'
import { AgentError } from '../agent-error.js'
import type { TpmRoot, Trust } from '../trust.js'
import type { RootOptions } from './root-options.js'

const MAX_BYTES = 2 * 1024 * 1024

/** The options by which a command is told what to trust. */
export type TrustOptions = RootOptions & { readonly policy: string }

/** The bytes of a file that the user named. @throws AgentError `argument_invalid` */
export const readNamedFile = async (path: string): Promise<Uint8Array> => {
  try {
    if ((await stat(path)).size <= MAX_BYTES) return await readFile(path)
  } catch {
    throw new AgentError('argument_invalid', `${path} can't be read`)
  }
  throw new AgentError('argument_invalid', `${path} is over ${MAX_BYTES} bytes`)
}

/** The JSON in a file that the user named; an error never repeats it. @throws AgentError `argument_invalid` */
export const readJsonFile = async (path: string): Promise<JsonValue> => {
  const bytes = await readNamedFile(path)
  try {
    return parseJson(bytes)
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    throw new AgentError('argument_invalid', `${path} does not hold JSON: ${error.code}`)
  }
}

/** What the user trusts. @throws AgentError `argument_invalid` */
export const readTrust = async ({ policy, root, googleRoot, tpmRoot }: TrustOptions): Promise<Trust> => ({
  policy: await readJsonFile(policy),
  roots: root === undefined ? [] : [await readNamedFile(root)],
  tpmRoots: [...(await readTpmRoot(googleRoot, 'google')), ...(await readTpmRoot(tpmRoot, 'simulated'))],
})

const readTpmRoot = async (path: string | undefined, kind: TpmRoot['kind']): Promise<readonly TpmRoot[]> =>
  path === undefined ? [] : [{ certificate: await readNamedFile(path), kind }]
