import type { GrantPages } from '@parley/guardian'
import { canonicalize } from '@parley/protocol'
import * as v from 'valibot'
import { readState } from '../read-state.js'
import type { Written } from '../state-cell.js'

const time = v.pipe(v.number(), v.safeInteger(), v.minValue(-1))

const schema = v.strictObject({
  version: v.literal('parley-grant-book-v1'),
  forgotten_up_to: time,
  records: v.array(
    v.strictObject({
      iss: v.string(),
      jti: v.string(),
      exp: time,
      uses: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
      revoked: v.boolean(),
    }),
  ),
})

/** What a book starts with. */
export const EMPTY_PAGES: GrantPages = { records: [], forgotten_up_to: -1 }

/** Reads a book. @throws AgentError `state_missing`, `file_not_private`, `state_malformed` */
export const readGrantBook = (path: string): GrantPages =>
  readState(path, schema, ({ records, forgotten_up_to }) => ({ records, forgotten_up_to }))

/** A book's pages as they are to be written; null where they are as before. */
export const writtenGrantBook = (before: GrantPages, after: GrantPages): Written<GrantPages> | null =>
  canonicalize(before) === canonicalize(after)
    ? null
    : { value: after, json: { version: 'parley-grant-book-v1', ...after } }
