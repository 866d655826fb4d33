import { join } from 'node:path'
import type { JsonObject } from '@parley/protocol'
import { writeFileSync } from 'node:fs'
import { startChild } from './child.js'
import { CLEAN_ENVIRONMENT, inRepository } from './paths.js'

/** One participant: every step is a process of its own that runs the `parley` command. */
export type Party = {
  readonly name: string
  readonly did: string
  readonly home: string
  /** Runs `parley ARGS --home HOME`; its output. Throws, with the output, if it does not end with 0. */
  parley(...args: readonly string[]): Promise<string>
  /** Writes JSON into the participant's folder; the path. */
  write(name: string, value: JsonObject): string
}

/** Runs one of the product's commands to its end. */
export async function runCommand(program: string, args: readonly string[]): Promise<string> {
  const child = startChild(program, [inRepository(program), ...args], CLEAN_ENVIRONMENT)
  const code = await child.ended()
  if (code !== 0)
    throw new Error(`${program} ${args.join(' ')} ended with ${String(code)}:\n${child.output()}`)
  return child.output()
}

/** Makes a participant with an identity of its own. */
export async function createParty(name: string, folder: string): Promise<Party> {
  const home = join(folder, name)
  const parley = (...args: readonly string[]): Promise<string> =>
    runCommand('agent/bin/parley.js', [...args, '--home', home])
  const did = (await parley('init')).trim()
  return {
    name,
    did,
    home,
    parley,
    write: (file, value) => {
      const path = join(home, file)
      writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`)
      return path
    },
  }
}
