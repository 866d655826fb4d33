import { canonicalize, type JsonValue } from '@parley/protocol'
import { sawPlaintext } from '../../scripts/src/demo/plaintext-search.js'
import type { HostileProxy } from './hostile-proxy.js'

/** Everything that passed a host, in both directions. */
export const hostBytes = ({ seen }: HostileProxy): Buffer =>
  Buffer.concat(seen.flatMap(({ request, answer }) => [request.body, answer?.body ?? Buffer.alloc(0)]))

/** Whether any of these values stands in the bytes, in any spelling. */
export const revealed = (bytes: Buffer, values: readonly JsonValue[]): boolean =>
  sawPlaintext(
    bytes,
    values.map((value) => canonicalize(value)),
  )
