import { type JsonValue, recordOf } from '@parley/protocol'
import * as v from 'valibot'
import { RelayError } from './relay-error.js'

/** A path, relative to the file that names it. */
export const path = v.pipe(v.string(), v.minLength(1), v.maxLength(4096))

/** Where a listener listens; port 0 takes a free one. */
export const address = v.strictObject({
  host: v.pipe(v.string(), v.minLength(1), v.maxLength(255)),
  port: v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(65_535)),
})

/** Key files (0600) of the policy bundle's providers, by their names. */
export const providerKeys = v.optional(recordOf(v.pipe(v.string(), v.regex(/^[a-z0-9-]{1,64}$/)), path), {})

/** The same key files where they are. */
export const placedKeys = (
  keys: v.InferOutput<typeof providerKeys>,
  place: (file: string) => string,
): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(keys).map(([name, file]) => [name, place(file)]))

/**
 * Reads a configuration by its form.
 * @param prefix says in the message which file it is
 * @throws RelayError `config_malformed`, naming the member
 */
export function readConfig<T>(form: v.GenericSchema<unknown, T>, value: JsonValue, prefix = ''): T {
  const result = v.safeParse(form, value, { abortEarly: true })
  if (result.success) return result.output
  const member = v.getDotPath(result.issues[0]) ?? '(root)'
  throw new RelayError('config_malformed', `${prefix}wrong or unknown member: ${member}`)
}
