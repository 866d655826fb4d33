import { canonicalBytes, type ProfileName } from '@parley/protocol'
import type { RelayKeys } from '../keys/relay-keys.js'
import type { Store } from '../store/store.js'
import type { AuditLog } from './audit-log.js'
import { KEYSETS } from './log-places.js'

/**
 * Writes the first entry of an epoch, and with it the keyset whose log key signs its checkpoints: whoever reads the log
 * later has the key to judge it by.
 * @throws RelayError as the store's commit
 */
export const beginLog = async (
  audit: AuditLog,
  store: Store,
  { keyset, keysetDigest: keyset_digest }: RelayKeys,
  profile: ProfileName,
): Promise<void> => {
  const index = Array.from(store.log(KEYSETS)).length
  const value = canonicalBytes(keyset)
  await audit.append({ event: 'relay.started', fields: { keyset_digest, profile } }, () => [
    { kind: 'append', log: KEYSETS, index, value, shown: value },
  ])
}
