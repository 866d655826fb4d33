import { ProtocolError } from '@parley/protocol'
import type { EnginePolicy } from '../classification/engine-policy.js'
import type { ProviderRow } from './provider-list.js'

/**
 * Returns if each engine that bears the name of a provider, or of `cel`, is what that is: a provider in another machine
 * that is called local would be given SECRET data.
 * @throws ProtocolError `object_malformed`
 */
export const checkEngineKinds = (
  { engines }: EnginePolicy,
  providers: readonly Pick<ProviderRow, 'name' | 'kind'>[],
): void => {
  for (const [at, { id, locality, egress }] of engines.entries()) {
    const kind = id === 'cel' ? 'local' : providers.find(({ name }) => name === id)?.kind
    if (kind === undefined) continue
    const isLocal = locality === 'local' && egress !== 'external'
    if (isLocal !== (kind === 'local'))
      throw new ProtocolError('object_malformed', `/engines/${at} says of ${id} what it is not`)
  }
}
