import { verdictText } from '@parley/verifier'
import { asciiJson } from '@parley/verifier/node'
import { AgentError } from '../agent-error.js'
import { checkRelay } from '../attest-relay.js'
import { pinRelay } from '../pin-relay.js'
import { pollUntil } from '../poll.js'
import { parseRelayUrl } from '../relay-url.js'
import { type Io, printJson } from './io.js'
import { readTrust, type TrustOptions } from './read-input.js'
import { writeNewFile } from './write-new-file.js'

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

/** The options of `parley relay pin`. */
export type PinOptions = {
  readonly out?: string
  /** Milliseconds for the relay to come up; 0 asks once. */
  readonly wait: number
}

/** `parley relay pin`: a policy for exactly the relay of the software lane that answers now. */
export const runRelayPin = async (url: string, { out, wait }: PinOptions, io: Io): Promise<number> => {
  const relay = parseRelayUrl(url)
  const pin = async () =>
    (await pollUntil(io.clock, wait, () => pinRelay(relay).catch(notYet))) ?? (await pinRelay(relay))
  if (out === undefined) printJson(io, await pin())
  else await writeNewFile(out, async () => asciiJson(await pin()))
  io.err('pinned on first use: this policy trusts whoever answered, and whoever operates it\n')
  return 0
}

// A relay that is still starting is unreachable, or its proxy knows no replica yet.
const notYet = (error: unknown): undefined => {
  if (error instanceof AgentError && ['relay_unreachable', 'gateway_refused'].includes(error.code))
    return undefined
  throw error
}
