import { existsSync } from 'node:fs'

/** What a peer is given: everything as DER or raw bytes. */
export type PeerEvidence = {
  readonly report: Uint8Array
  readonly leaf: Uint8Array
  readonly intermediate: Uint8Array
  readonly root: Uint8Array
  readonly now: Date
  readonly simulated: boolean
}

/** Another verifier. */
export type Peer = {
  readonly name: string
  /** A function that verifies the evidence anew each time, and throws or rejects where it refuses it. */
  readonly prepare: (evidence: PeerEvidence) => Promise<() => unknown>
}

const FOLDER = new URL('../../peers/', import.meta.url)

function isPeer(value: unknown): value is Peer {
  if (typeof value !== 'object' || value === null || !('name' in value) || !('prepare' in value)) return false
  return typeof value.name === 'string' && typeof value.prepare === 'function'
}

/** The peers, if they are installed: they have a lockfile of their own and are no dependencies of the product. */
export async function loadPeers(): Promise<readonly Peer[] | null> {
  if (!existsSync(new URL('node_modules', FOLDER))) return null
  const loaded: unknown = await import(new URL('src/index.js', FOLDER).href)
  const peers = typeof loaded === 'object' && loaded !== null && 'peers' in loaded ? loaded.peers : undefined
  if (!Array.isArray(peers) || !peers.every(isPeer)) throw new Error('bench/peers exports something else')
  return peers
}
