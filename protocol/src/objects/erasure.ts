import * as v from 'valibot'
import type { JsonValue } from '../json-value.js'
import { decode } from './decode.js'
import { integer } from './formats.js'

/** No answer to a request for erasure is longer, in octets. */
export const MOST_ERASED_BYTES = 1024

const erasureRequest = v.strictObject({})
const erased = v.strictObject({ sessions: integer(0), records: integer(0), open: integer(0) })

/** What a relay erased of the caller's key: sessions, entries of its logs; and the sessions that stay as yet (SPEC §13). */
export type Erased = v.InferOutput<typeof erased>

/** Reads the body of `POST /v1/erasure`, an empty object. @throws ProtocolError object_malformed */
export const parseErasureRequest = (value: JsonValue): Readonly<Record<string, never>> =>
  decode(erasureRequest, value, 'erasure request')

/** Reads the answer to it. @throws ProtocolError object_malformed */
export const parseErased = (value: JsonValue): Erased => decode(erased, value, 'erased')
