import { join } from 'node:path'
import {
  type Ed25519PublicKey,
  fromBase64url,
  hash,
  type Lane,
  type LedgerEntry,
  parseEd25519PublicKey,
  toBase64url,
  verifyEntrySignature,
  verifyLedgerEntry,
} from '@parley/protocol'
import * as v from 'valibot'
import { AgentError } from './agent-error.js'
import { json, readState } from './read-state.js'
import { MemoryCell, type StateCell } from './state-cell.js'
import { StateFile } from './state-file.js'

const schema = v.strictObject({
  version: v.literal('parley-wallet-v1'),
  receipt_key: v.string(),
  entry: json,
})

/** An entry and the key of the relay that signed it. */
export type HeldEntry = { readonly entry: LedgerEntry; readonly receiptKey: Ed25519PublicKey }

const readHeld = (path: string): HeldEntry =>
  readState(path, schema, ({ receipt_key, entry }) => {
    const receiptKey = parseEd25519PublicKey(fromBase64url(receipt_key, 32))
    return { entry: verifyLedgerEntry(entry, receiptKey), receiptKey }
  })

const readEntry = (path: string): LedgerEntry => readHeld(path).entry

/**
 * The owner's last ledger entry of each secret, in one file per lane and tag. It is what shows that a relay was
 * rolled back: a relay whose chain does not contain it gets no input (SPEC §11).
 */
export class LedgerWallet {
  readonly #folder: string
  readonly #cellAt: (path: string) => StateCell<LedgerEntry>

  constructor(
    folder: string,
    cellAt: (path: string) => StateCell<LedgerEntry> = (path) => new StateFile(path, readEntry),
  ) {
    this.#folder = folder
    this.#cellAt = cellAt
  }

  /** A wallet in memory alone: the heads that show a rollback end with the process. */
  static inMemory(): LedgerWallet {
    const cells = new Map<string, StateCell<LedgerEntry>>()
    return new LedgerWallet('memory', (path) => {
      const cell = cells.get(path) ?? new MemoryCell<LedgerEntry>(null)
      cells.set(path, cell)
      return cell
    })
  }

  /**
   * The last entry held for a tag; null where there is none.
   * @throws AgentError `state_malformed`, `file_not_private`: a broken wallet is not an empty one.
   */
  held(lane: Lane, tag: string): Promise<LedgerEntry | null> {
    return Promise.resolve().then(() => {
      try {
        return this.#cellAt(this.pathOf(lane, tag)).current()
      } catch (error) {
        if (error instanceof AgentError && error.code === 'state_missing') return null
        throw error
      }
    })
  }

  /**
   * Keeps an entry unless a later one of its chain is held.
   * @param receiptKey the relay's key that signed it
   * @throws ProtocolError `signature_invalid`
   * @throws AgentError `state_malformed`, `file_not_private`, `state_locked`
   */
  async keep(entry: LedgerEntry, receiptKey: Ed25519PublicKey): Promise<void> {
    verifyEntrySignature(entry, receiptKey)
    const cell = this.#cellAt(this.pathOf(entry.lane, entry.tag))
    // Two sessions about one secret may end at once: whoever writes last must not bring back the older head.
    await cell.update((held) =>
      held !== null && held.seq >= entry.seq
        ? null
        : {
            value: entry,
            json: { version: 'parley-wallet-v1', receipt_key: toBase64url(receiptKey), entry },
          },
    )
  }

  /**
   * What one file of the wallet holds.
   * @throws AgentError `state_missing`, `state_malformed`, `file_not_private`
   */
  read(path: string): HeldEntry {
    return readHeld(path)
  }

  /** The file of a tag's entry. */
  pathOf(lane: Lane, tag: string): string {
    // A tag may hold a slash or be `..`; its digest is a safe name.
    return join(this.#folder, `${hash({ lane, tag })}.json`)
  }
}
