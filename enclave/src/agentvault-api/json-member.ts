import type { JsonValue } from '@parley/protocol'
import * as v from 'valibot'

/** A member that holds any JSON; the parser has already bounded it. */
export const jsonValue = v.custom<JsonValue>((value) => value !== undefined, 'JSON value')
