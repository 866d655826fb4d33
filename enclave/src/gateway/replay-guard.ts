import { sha256, toHex } from '@parley/protocol'

/** What becomes of an encapsulation. */
export type Admission = 'admitted' | 'replayed' | 'full'

/** Remembers every encapsulation of one gateway key for as long as the key lives. */
export type ReplayGuard = {
  /** Admits an encapsulated key (`enc`) once; when the memory is full it admits none, since it forgets none. */
  readonly admit: (enc: Uint8Array) => Admission
}

/**
 * A guard for one public key, and so keyed by that key's digest and SHA-256(enc): the key never changes under it.
 * @param entries how many encapsulations are remembered
 */
export function createReplayGuard(entries: number): ReplayGuard {
  const seen = new Set<string>()
  return {
    admit: (enc) => {
      const key = toHex(sha256(enc))
      if (seen.has(key)) return 'replayed'
      if (seen.size >= entries) return 'full'
      seen.add(key)
      return 'admitted'
    },
  }
}
