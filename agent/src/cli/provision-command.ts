import { attestRelay } from '../attest-relay.js'
import { loadIdentity } from '../identity.js'
import { readProviderKeys } from '../provisioning/read-provider-keys.js'
import { provisionRelay } from '../provisioning/provision-relay.js'
import { parseRelayUrl } from '../relay-url.js'
import { type Io, printJson } from './io.js'
import { readTrust, type TrustOptions } from './read-input.js'

/** The options of `parley provision`. */
export type ProvisionOptions = TrustOptions & {
  /** The file of an identity that the relay's policy bundle names as an authority. */
  readonly authority: string
  readonly secrets: string
  /** The replica that holds this key; whichever answers where absent. */
  readonly keyId?: number
  readonly json?: true
}

/** `parley provision`: appraises a relay over a nonce drawn now, and seals the operator's secrets to it. */
export const runProvision = async (url: string, options: ProvisionOptions, io: Io): Promise<number> => {
  const identity = await loadIdentity(options.authority)
  const keys = readProviderKeys(options.secrets)
  const replica = options.keyId === undefined ? {} : { keyId: options.keyId }
  const asked = { url: parseRelayUrl(url), ...replica, trust: await readTrust(options), clock: io.clock }
  const relay = await attestRelay(asked)
  const said = await provisionRelay({ identity, relay, clock: io.clock }, keys)
  if (options.json === true) printJson(io, { keyset_digest: relay.keyset.keysetDigest, ...said })
  else
    io.out(
      said.held.map((name) => `held     ${name}\n`).join('') +
        said.missing.map((name) => `missing  ${name}\n`).join(''),
    )
  return 0
}
