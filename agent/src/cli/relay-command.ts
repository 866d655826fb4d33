import { verdictText } from '@parley/verifier'
import { checkRelay } from '../attest-relay.js'
import { parseRelayUrl } from '../relay-url.js'
import { type Io, printJson } from './io.js'
import { readTrust, type TrustOptions } from './read-input.js'

/** `parley relay check`: appraises a relay over a nonce drawn now, and seals nothing. */
export const runRelayCheck = async (
  url: string,
  options: TrustOptions & { readonly json?: true },
  io: Io,
): Promise<number> => {
  const trust = await readTrust(options)
  const { verdict } = await checkRelay({ url: parseRelayUrl(url), trust, clock: io.clock })
  if (options.json === true) printJson(io, verdict)
  else io.out(verdictText(verdict))
  return verdict.exit_code
}
