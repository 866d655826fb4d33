import { isJsonObject, type JsonValue } from '@parley/protocol'
import { ownMember } from './site.js'

/** The dialects whose keywords mean here what they say there. */
export type Dialect = '2020-12' | 'draft-07'

const DIALECT = /^https?:\/\/json-schema\.org\/(?:draft\/(2020-12)|(draft-07))\/schema#?$/

/** What a document says it is written in: null where it does not say, undefined where that is another dialect. */
export const dialectOf = (root: JsonValue): Dialect | null | undefined => {
  const named = isJsonObject(root) ? ownMember(root, '$schema') : undefined
  if (named === undefined) return null
  const found = typeof named === 'string' ? DIALECT.exec(named) : null
  if (found === null) return undefined
  return found[1] === undefined ? 'draft-07' : '2020-12'
}
