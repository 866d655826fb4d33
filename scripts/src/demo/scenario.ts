import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isJsonArray, type JsonObject, type JsonValue } from '@parley/protocol'
import { readObject } from './json-object.js'
import { runCommand } from './party.js'
import { inRepository } from './paths.js'

/** One of the two who confer: the contract's name for it, and what it submits. */
export type Seat = { readonly name: string; readonly input: JsonObject }

/** A contract of the registry with its example inputs. */
export type Scenario = {
  readonly contractFile: string
  readonly seats: readonly [Seat, Seat]
  /** What its program makes of the inputs; null where a model evaluates them. */
  readonly expected: JsonObject | null
}

/** Builds the contract of an offer with the `parley` command, and takes its example from the registry. */
export async function openScenario(offer: string, folder: string): Promise<Scenario> {
  const example = inRepository(join('registry/examples', offer))
  const input = (role: string): JsonObject => readObject(join(example, `${role}.json`))
  const contractFile = join(folder, 'contract.json')
  const expected = join(example, 'expected.json')
  const profile = existsSync(expected) ? [] : ['--profile', 'parley-local-v1']
  await runCommand('agent/bin/parley.js', ['contract', 'build', offer, ...profile, '--out', contractFile])
  const [first, second] = namesOf(readObject(contractFile)['participants'] ?? null)
  return {
    contractFile,
    seats: [
      { name: first, input: input('initiator') },
      { name: second, input: input('responder') },
    ],
    expected: existsSync(expected) ? readObject(expected) : null,
  }
}

function namesOf(participants: JsonValue): readonly [string, string] {
  const [first, second] = isJsonArray(participants) ? participants : []
  if (typeof first !== 'string' || typeof second !== 'string') throw new Error('a contract without names')
  return [first, second]
}
