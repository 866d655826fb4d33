import { isDid } from '@parley/protocol'
import * as v from 'valibot'

// The spellings that every signed object of this folder shares.

/** An integer in [least, most]. */
export const integer = (least: number, most = Number.MAX_SAFE_INTEGER): v.GenericSchema<number> =>
  v.pipe(v.number(), v.safeInteger(), v.minValue(least), v.maxValue(most))

/** A self-certifying identifier. */
export const did = v.pipe(v.string(), v.maxLength(256), v.check(isDid))

/** Lower-case hex of 32 octets. */
export const digest = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/))

/** Its issuer's name for it. */
export const jti = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,64}$/))

/** What something is for, as a contract or a task spells it. */
export const purpose = v.pipe(v.string(), v.regex(/^[\x21-\x7e]{1,128}$/))

/** Read by the signature's own check, which is stricter. */
export const jws = v.pipe(v.string(), v.maxLength(128))
