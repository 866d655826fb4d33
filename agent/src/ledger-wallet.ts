import { join } from 'node:path'
import {
  canonicalize,
  type Ed25519PublicKey,
  fromBase64url,
  hash,
  type Lane,
  type LedgerEntry,
  parseEd25519PublicKey,
  toBase64url,
  verifyLedgerEntry,
} from '@parley/protocol'
import * as v from 'valibot'
import { AgentError } from './agent-error.js'
import { withFileLock } from './file-lock.js'
import { replacePrivateFile } from './private-file.js'
import { json, readState } from './read-state.js'

const schema = v.strictObject({
  version: v.literal('parley-wallet-v1'),
  receipt_key: v.string(),
  entry: json,
})

/**
 * The owner's last ledger entry of each secret, in one file per lane and tag. It is what shows that a relay was
 * rolled back: a relay whose chain does not contain it gets no input (SPEC §11).
 */
export class LedgerWallet {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /**
   * The last entry held for a tag; null where there is none.
   * @throws AgentError `state_malformed`, `file_not_private`: a broken wallet is not an empty one.
   */
  async held(lane: Lane, tag: string): Promise<LedgerEntry | null> {
    try {
      return await readState(this.pathOf(lane, tag), schema, ({ receipt_key, entry }) =>
        verifyLedgerEntry(entry, parseEd25519PublicKey(fromBase64url(receipt_key, 32))),
      )
    } catch (error) {
      if (error instanceof AgentError && error.code === 'state_missing') return null
      throw error
    }
  }

  /**
   * Keeps an entry unless a later one of its chain is held.
   * @param receiptKey the relay's key that signed it
   * @throws ProtocolError `signature_invalid`
   * @throws AgentError `state_malformed`, `file_not_private`, `state_locked`
   */
  async keep(entry: LedgerEntry, receiptKey: Ed25519PublicKey): Promise<void> {
    verifyLedgerEntry(entry, receiptKey)
    const path = this.pathOf(entry.lane, entry.tag)
    // Two sessions about one secret may end at once: whoever writes last must not bring back the older head.
    await withFileLock(path, async () => {
      const held = await this.held(entry.lane, entry.tag)
      if (held !== null && held.seq >= entry.seq) return
      const file = { version: 'parley-wallet-v1', receipt_key: toBase64url(receiptKey), entry }
      await replacePrivateFile(path, canonicalize(file))
    })
  }

  /** The file of a tag's entry. */
  pathOf(lane: Lane, tag: string): string {
    // A tag may hold a slash or be `..`; its digest is a safe name.
    return join(this.#folder, `${hash({ lane, tag })}.json`)
  }
}
