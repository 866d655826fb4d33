import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Io, run } from '../../src/index.js'
import { makeKeys, policyFor } from '../double/keys.js'
import { type RelayDouble, startRelay, type Tampering } from '../double/relay.js'
import { freshFolder, testClock } from '../double/stage.js'
import { contract } from '../double/terms.js'

export type Played = {
  readonly code: number
  readonly out: string
  readonly err: string
  readonly asked: readonly string[]
}

/** Runs the command as somebody at a terminal (`answer`), or as a script (null). */
export const play = async (
  argv: readonly string[],
  { answer = null, env = {} }: { answer?: boolean | null; env?: Io['env'] } = {},
): Promise<Played> => {
  const said = { out: '', err: '' }
  const asked: string[] = []
  const confirm = (question: string): Promise<boolean> => {
    asked.push(question)
    return Promise.resolve(answer === true)
  }
  const code = await run(argv, {
    out: (text) => void (said.out += text),
    err: (text) => void (said.err += text),
    env,
    confirm: answer === null ? null : confirm,
    clock: testClock(),
  })
  return { code, ...said, asked }
}

/** What stands ready before a command is played. */
export type SetUp = {
  readonly relay: RelayDouble
  readonly at: (name: string) => string
  readonly file: (name: string, value: unknown) => Promise<string>
  readonly policy: string
  readonly contractFile: string
  readonly homes: Record<'buyer' | 'seller', string>
  readonly dids: Record<'buyer' | 'seller', string>
}

/** A relay, a folder with the files that the commands take, and two homes with identities. */
export const setUp = async (tampering: Tampering = {}): Promise<SetUp> => {
  const relay: RelayDouble = await startRelay(makeKeys(), tampering)
  const folder = await freshFolder()
  const file = async (name: string, value: unknown): Promise<string> => {
    await writeFile(join(folder, name), typeof value === 'string' ? value : JSON.stringify(value))
    return join(folder, name)
  }
  const at = (name: string): string => join(folder, name)
  const [policy, contractFile] = [
    await file('policy.json', policyFor(relay.keys)),
    await file('contract.json', contract),
  ]
  const homes = { buyer: at('buyer'), seller: at('seller') }
  const dids = {
    buyer: (await play(['init', '--home', homes.buyer])).out.trim(),
    seller: (await play(['init', '--home', homes.seller])).out.trim(),
  }
  return { relay, at, file, policy, contractFile, homes, dids }
}
