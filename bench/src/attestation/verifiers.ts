import { ChainMemo } from '@parley/attestation'
import { chainOf } from '../evidence/bare-signatures.js'
import { type Case, isTrusted } from '../evidence/case.js'
import { loadPeers, type PeerEvidence } from './peers.js'

/** Verifies one case anew; rejects where it refuses it. */
export type Verification = () => Promise<void>

/** Another way of verifying evidence. */
export type Verifier = { readonly name: string; readonly prepare: (one: Case) => Promise<Verification> }

/** Ours, remembering chains: a leaf that is new to it is cold, one that it knows is warm. */
export function ours(name: string): Verifier {
  const memo = new ChainMemo()
  return {
    name,
    prepare: (one) =>
      Promise.resolve(async () => {
        if (!(await isTrusted(one, memo))) throw new Error('the evidence is not trusted')
      }),
  }
}

function peerEvidence({ evidence, now, roots }: Case): PeerEvidence {
  const [leaf, intermediate, root] = chainOf(evidence)
  const certificates = { leaf: leaf.der, intermediate: intermediate.der, root: root.der }
  return { report: evidence.report, ...certificates, now: new Date(now), simulated: roots.length > 0 }
}

/** Other verifiers, or null where none is installed. */
export async function peerVerifiers(): Promise<readonly Verifier[] | null> {
  const peers = await loadPeers()
  if (peers === null) return null
  return peers.map(({ name, prepare }) => ({
    name,
    prepare: async (one) => {
      const verify = await prepare(peerEvidence(one))
      return async () => {
        await verify()
      }
    },
  }))
}

/** Whether it accepts a case. */
export async function accepts({ prepare }: Verifier, one: Case): Promise<boolean> {
  try {
    await (await prepare(one))()
    return true
  } catch {
    return false
  }
}
