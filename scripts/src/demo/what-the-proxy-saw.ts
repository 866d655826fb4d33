import { canonicalize, type JsonObject } from '@parley/protocol'
import { sendInPlain } from './control.js'
import { objectAt, textAt } from './json-object.js'
import { sawPlaintext } from './plaintext-search.js'
import type { TappedProxy } from './tapped-proxy.js'

/** What went into one session, and the bundle that came out. */
export type Session = { readonly inputs: readonly JsonObject[]; readonly bundle: JsonObject }

/** What a search of all the host-proxy's bytes found. */
export type Search = {
  readonly bytes: number
  readonly sawPlaintext: boolean
  /** Whether the same search finds an input that was sent over plain HTTP afterwards. */
  readonly controlFound: boolean
}

/** Searches every byte of the host-proxy for inputs, program and output, and proves that the search works. */
export async function searchProxy(proxy: TappedProxy, session: Session): Promise<Search> {
  const secrets = secretsOf(session)
  const seen = proxy.bytes()
  await sendInPlain(proxy.url, keyIdOf(proxy.log()), canonicalize(session.inputs[0] ?? null))
  return {
    bytes: seen.length,
    sawPlaintext: sawPlaintext(seen, secrets),
    controlFound: sawPlaintext(proxy.bytes(), secrets),
  }
}

const LEAST_DIGITS = 8

function secretsOf({ inputs, bundle }: Session): string[] {
  const output = objectAt(objectAt(bundle, 'openings'), 'output')['output'] ?? null
  const contract = objectAt(bundle, 'contract')
  const program = contract['program'] === undefined ? [] : [textAt(objectAt(contract, 'program'), 'source')]
  return [
    ...inputs.map((input) => canonicalize(input)),
    ...inputs.flatMap(numbersOf),
    canonicalize(output),
    ...program,
  ]
}

// The numbers alone, too: whatever is spelt around them, they are the secrets. Short ones occur in any log.
const numbersOf = (input: JsonObject): string[] =>
  Object.values(input)
    .filter((value) => typeof value === 'number')
    .map(String)
    .filter((digits) => digits.length >= LEAST_DIGITS)

function keyIdOf(log: readonly string[]): number {
  for (const line of log) {
    const id = /"key_id":(\d+)/.exec(line)?.[1]
    if (id !== undefined) return Number(id)
  }
  throw new Error('the host-proxy saw no key id')
}
