import type { BootAttester, Collector } from '@parley/attestation'
import {
  type Binding,
  type Hardware,
  type Lane,
  MerkleTree,
  reportDataOf,
  signPossession,
  type SigningKey,
  toHex,
} from '@parley/protocol'
import { attestBoot } from './attest-boot.js'
import { collectHardware } from './collect-hardware.js'

const LEAF_BYTES = 32
const LEAST_TREE = 2

/** The largest tree of leaves under one report. */
export const MAX_LEAVES = 65_536

/** Who binds, and how a report is had. */
export type Binder = {
  readonly lane: Lane
  readonly keysetDigest: string
  readonly receiptKey: SigningKey
  /** Null in the software lane. */
  readonly collector: Collector | null
  /** The TPM that attests the boot, where the launch measurement does not cover the application. */
  readonly attester?: BootAttester | null
  readonly random: (size: number) => Uint8Array
}

/**
 * Binds leaf hashes under one report, in the order given. Random leaves fill the tree up to a power of two, so that
 * a path tells how many sessions asked only within a factor of two.
 * @param leaves 1 to 65,536 hashes of 32 octets
 * @throws RelayError `report_failed`, `report_data_mismatch`, `collateral_missing`
 */
export async function bindLeaves(binder: Binder, leaves: readonly Uint8Array[]): Promise<readonly Binding[]> {
  const { lane, keysetDigest, receiptKey, random } = binder
  const tree = new MerkleTree(leaves)
  while (tree.size < LEAST_TREE || !Number.isInteger(Math.log2(tree.size))) tree.append(random(LEAF_BYTES))
  const head = { keyset_digest: keysetDigest, tree_size: tree.size, root: toHex(tree.root()) }
  const hardware = await hardwareOver(binder, reportDataOf(lane, head))
  const possession = signPossession(lane, head, receiptKey)
  return leaves.map((_, index) => ({
    tree_size: tree.size,
    leaf_index: index,
    path: tree.inclusionPath(index).map(toHex),
    possession,
    hardware,
  }))
}

async function hardwareOver(
  { collector, attester = null, keysetDigest }: Binder,
  reportData: Uint8Array,
): Promise<Hardware | null> {
  if (collector === null) return null
  const hardware = await collectHardware(collector, reportData)
  if (attester === null) return hardware
  return { ...hardware, boot_evidence: await attestBoot(attester, keysetDigest, hardware.report) }
}
