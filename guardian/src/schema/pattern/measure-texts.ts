import { TOO_MANY } from '../../capacity/too-many.js'
import type { Work } from '../work.js'
import type { Language } from './language.js'

/** How many texts, and the bytes of the longest in canonical JSON (-1 without any). */
export type Measured =
  | { readonly ok: true; readonly texts: bigint; readonly bytes: number }
  | { readonly ok: false; readonly code: 'value_unbounded' | 'schema_too_complex' }

type Texts = { readonly count: bigint; readonly bytes: number }
type Layer = ReadonlyMap<number, Texts>

/** Measures the texts of a language that have so many code points. A count of 2^4096 or more is no longer exact. */
export const measureTexts = (language: Language, shortest: number, longest: number, work: Work): Measured => {
  const { next, alphabet, accepts } = language
  let texts = 0n
  let bytes = -1
  let layer: Layer = new Map([[0, { count: 1n, bytes: 2 }]])
  for (let length = 0; length <= longest && layer.size > 0; length++) {
    // Longer than there are states: the way has a loop, which nothing ends.
    if (longest === Infinity && length > next.length) return { ok: false, code: 'value_unbounded' }
    if (!work.spend(4 * layer.size * (alphabet.letters.length + 1)))
      return { ok: false, code: 'schema_too_complex' }
    for (const [state, found] of length >= shortest ? layer : []) {
      if (accepts[state] !== true) continue
      texts = capped(texts + found.count)
      bytes = Math.max(bytes, found.bytes)
    }
    layer = longer(layer, language)
  }
  return { ok: true, texts, bytes }
}

const longer = (layer: Layer, { next, alphabet }: Language): Layer => {
  const reached = new Map<number, Texts>()
  for (const [state, { count, bytes }] of layer)
    for (const [letter, { size, bytes: more }] of alphabet.letters.entries()) {
      const to = next[state]?.[letter] ?? -1
      if (to === -1) continue
      const known = reached.get(to) ?? { count: 0n, bytes: -1 }
      reached.set(to, {
        count: capped(known.count + count * size),
        bytes: Math.max(known.bytes, bytes + more),
      })
    }
  return reached
}

const capped = (count: bigint): bigint => (count < TOO_MANY ? count : TOO_MANY)
