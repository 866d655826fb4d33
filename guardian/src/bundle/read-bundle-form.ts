import { type JsonValue, ProtocolError } from '@parley/protocol'
import * as v from 'valibot'

const MOST_FAULTS = 32

/**
 * Reads a file of a policy bundle by its form.
 * @throws ProtocolError `object_malformed`, with the JSON pointers of the members that are missing, unknown or wrong, 32
 * at most
 * @see RFC 6901
 */
export const readBundleForm = <T>(form: v.GenericSchema<unknown, T>, value: JsonValue): T => {
  const result = v.safeParse(form, value)
  if (result.success) return result.output
  const pointers = [...new Set(result.issues.map(pointerOf))].slice(0, MOST_FAULTS)
  throw new ProtocolError('object_malformed', `missing, unknown or wrong: ${pointers.join(' ')}`)
}

const pointerOf = ({ path }: Pick<v.BaseIssue<unknown>, 'path'>): string =>
  `/${(path ?? []).map(({ key }) => escaped(String(key))).join('/')}`.slice(0, 128)

const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')
