import { type Checked, type Origin, type OriginReason, parseOrigin } from '@parley/guardian'
import { isJsonObject } from '@parley/protocol'
import { AgentError, type AgentErrorCode } from '../agent-error.js'
import { pairingIds, readPairingFile } from './pairing-folder.js'

/** What an origin's file says, or why it counts for nothing. */
export type FoundOrigin = Checked<Origin, OriginReason>

/** An origin by the name of its file. */
export type ListedOrigin = { readonly id: string; readonly found: FoundOrigin }

const REASONS: Readonly<Partial<Record<AgentErrorCode, OriginReason>>> = {
  argument_invalid: 'invalid_origin_id',
  state_missing: 'unknown_origin',
  file_not_private: 'origin_file_world_readable',
}

/** The origins of a folder. Each question reads the file anew, so what its owner changes binds the next task. */
export class OriginFiles {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /** The origin of an id. It never throws. */
  find(origin_id: string): FoundOrigin {
    try {
      const origin = parseOrigin(readPairingFile(this.#folder, origin_id))
      return origin.ok && origin.value.origin_id !== origin_id ? refused('origin_file_malformed') : origin
    } catch (error) {
      return refused(
        (error instanceof AgentError ? REASONS[error.code] : undefined) ?? 'origin_file_malformed',
      )
    }
  }

  /** All of them, sorted by id. @throws AgentError `file_unusable` */
  list(): readonly ListedOrigin[] {
    return pairingIds(this.#folder).map((id) => ({ id, found: this.find(id) }))
  }

  /** The identifier whose key signs an origin's tasks; null where there is none. */
  senderOf(origin_id: string): string | null {
    if (!this.find(origin_id).ok) return null
    const file = readPairingFile(this.#folder, origin_id)
    const did = isJsonObject(file) ? file['sender_did'] : undefined
    return typeof did === 'string' ? did : null
  }
}

const refused = (reason: OriginReason): FoundOrigin => ({ ok: false, reason })
