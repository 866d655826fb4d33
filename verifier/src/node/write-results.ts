import { writeFile } from 'node:fs/promises'
import { AttestationError } from '@parley/attestation'
import {
  eatClaims,
  eatJson,
  type Judged,
  type JudgedFile,
  readJudged,
  signDsse,
  signEar,
  signEatCwt,
  type Signer,
  verdictStatement,
} from '../results/index.js'
import { attempt } from './read-file.js'
import { readSigningKey } from './read-signing-key.js'
import type { Io } from './run.js'

/** The options that name files to write for others. */
export type ResultOptions = {
  readonly ear?: string
  readonly eat?: string
  readonly cwt?: string
  readonly inToto?: string
  readonly key?: string
}

/** Writes what was asked for, and says on `err` what there was nothing to write of. */
export type WriteResults = (file: JudgedFile, io: Io) => Promise<void>

/** The content of a file; null where nothing holds that it could be a view of. */
type Make = (judged: Judged) => Promise<string | Uint8Array | null>

type Output = { readonly path: string; readonly make: Make }

/**
 * Reads the key before anything is judged, so that no verdict is printed that could not be signed.
 * @throws AttestationError `argument_invalid` where a key is missing, signs nothing, or can't be used
 */
export const prepareResults = async (options: ResultOptions): Promise<WriteResults> => {
  const outputs = await outputsOf(options)
  return async (file, io) => {
    if (outputs.length === 0) return
    const judged = await readJudged(file)
    for (const { path, make } of outputs) await write(path, await make(judged), io)
  }
}

const outputsOf = async ({ ear, eat, cwt, inToto, key }: ResultOptions): Promise<readonly Output[]> => {
  const signed = [ear, cwt, inToto].some((path) => path !== undefined)
  if (signed && key === undefined) throw unusable('--ear, --cwt and --in-toto need --key')
  if (!signed && key !== undefined) throw unusable('--key signs --ear, --cwt and --in-toto only')
  const view = output(eat, makeEat)
  if (key === undefined) return view
  const signer = await readSigningKey(key)
  return [
    ...output(ear, async (judged) => `${await signEar(judged, signer)}\n`),
    ...view,
    ...output(cwt, makeCwt(signer)),
    ...output(inToto, async (judged) => json(await signDsse(verdictStatement(judged), signer))),
  ]
}

const output = (path: string | undefined, make: Make): readonly Output[] =>
  path === undefined ? [] : [{ path, make }]

const makeEat: Make = (judged) => {
  const claims = eatClaims(judged)
  return Promise.resolve(claims === null ? null : json(eatJson(claims)))
}

const makeCwt =
  (signer: Signer): Make =>
  async (judged) => {
    const claims = eatClaims(judged)
    return claims === null ? null : signEatCwt(claims, signer)
  }

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`

const write = async (path: string, content: string | Uint8Array | null, io: Io): Promise<void> => {
  if (content === null)
    io.err(`parley-verify: ${path} not written: nothing holds that evidence could be a view of\n`)
  else await attempt(path, writeFile(path, content))
}

const unusable = (what: string): AttestationError => new AttestationError('argument_invalid', what)
