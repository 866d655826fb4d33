import { AgentError } from '../agent-error.js'

/** What a person may call. */
export type Named = { readonly id: string; readonly label: string | null }

/**
 * Whom a person means: the exact id; else the one of that label, whatever its case; else the one whose id begins so.
 * @throws AgentError `argument_invalid` where that is nobody, or more than one
 */
export const resolveTarget = (text: string, known: readonly Named[]): string => {
  const exact = known.find(({ id }) => id === text)
  if (exact !== undefined) return exact.id
  const wanted = folded(text)
  const labelled = known.filter(({ label }) => label !== null && folded(label) === wanted)
  const found = labelled.length > 0 ? labelled : known.filter(({ id }) => text !== '' && id.startsWith(text))
  const [one, second] = found
  if (one === undefined) throw new AgentError('argument_invalid', 'no pairing has that id or label')
  if (second !== undefined)
    throw new AgentError('argument_invalid', `that may be any of ${found.map(({ id }) => id).join(', ')}`)
  return one.id
}

const folded = (text: string): string => text.normalize('NFC').toLowerCase()
