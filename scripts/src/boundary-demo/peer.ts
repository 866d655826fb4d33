import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isJsonObject, type JsonObject, parseJson } from '@parley/protocol'
import { startChild } from '../demo/child.js'
import { readObject } from '../demo/json-object.js'
import { CLEAN_ENVIRONMENT, inRepository } from '../demo/paths.js'

const PROGRAM = inRepository('agent/bin/parley.js')

/** What a command came to. */
export type Ended = { readonly code: number | null; readonly output: string }

/** Somebody with a home, whose every step is a `parley` process. */
export type Peer = {
  readonly name: string
  readonly home: string
  readonly did: string
  /** Runs `parley ARGS --home HOME`; whatever it ends with. */
  run(...args: readonly string[]): Promise<Ended>
  /** The same; its output. Throws where it does not end with 0. */
  must(...args: readonly string[]): Promise<string>
}

/** Makes one. */
export async function createPeer(name: string, folder: string): Promise<Peer> {
  const home = join(folder, name)
  const run = async (...args: readonly string[]): Promise<Ended> => {
    const child = startChild(name, [PROGRAM, ...args, '--home', home], CLEAN_ENVIRONMENT)
    const code = await child.ended()
    return { code, output: child.output() }
  }
  const must = async (...args: readonly string[]): Promise<string> => {
    const { code, output } = await run(...args)
    if (code !== 0) throw new Error(`parley ${args.join(' ')} ended with ${String(code)}:\n${output}`)
    return output
  }
  const did = (await must('init')).trim()
  return { name, home, did, run, must }
}

/** A file of somebody's home, and its path. */
export function writeFile({ home }: Pick<Peer, 'home'>, name: string, content: string): string {
  const path = join(home, name)
  writeFileSync(path, content, { mode: 0o600 })
  return path
}

/** Changes members of a JSON file. */
export function changeFile(path: string, members: JsonObject): void {
  writeFileSync(path, JSON.stringify({ ...readObject(path), ...members }))
}

/** The entries of a log, oldest first; what was erased is left out. */
export function entriesOf({ home }: Peer, log: 'own' | 'received'): readonly JsonObject[] {
  const path = join(home, log === 'own' ? 'own.audit.log' : 'a2a/received.audit.log')
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1)
  return lines.flatMap((line) => {
    const record = parseJson(line)
    const entry = isJsonObject(record) ? (record['entry'] ?? record) : null
    return isJsonObject(entry ?? null) && isJsonObject(entry) && 'event' in entry ? [entry] : []
  })
}

/** Gives a home rules of its own: the shipped schema, Cedar rules, and the shipped files with members changed. */
export function writeRules(
  { home }: Peer,
  cedar: string,
  changes: Readonly<Record<'engines.json' | 'residency.json', JsonObject>>,
): void {
  const folder = join(home, 'policy')
  mkdirSync(join(folder, 'cedar'), { recursive: true })
  chmodSync(folder, 0o700)
  const shipped = inRepository('infra/policy')
  cpSync(join(shipped, 'cedar/schema.cedarschema'), join(folder, 'cedar/schema.cedarschema'))
  writeFileSync(join(folder, 'cedar/own.cedar'), cedar)
  for (const file of ['engines.json', 'residency.json'] as const)
    writeFileSync(
      join(folder, file),
      JSON.stringify({ ...readObject(join(shipped, file)), ...changes[file] }),
      { mode: 0o600 },
    )
}
