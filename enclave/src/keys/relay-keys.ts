import type { GatewayKey, Keyset, SigningKey } from '@parley/protocol'

/** What a relay made at boot. It lives in memory and ends with the process. */
export type RelayKeys = {
  readonly keyset: Keyset
  /** Lower-case hex digest of the keyset. */
  readonly keysetDigest: string
  readonly gateway: GatewayKey
  readonly receiptKey: SigningKey
  readonly logKey: SigningKey
  /** 32 random octets; each use derives its own key from them. */
  readonly sealingKey: Uint8Array
}
