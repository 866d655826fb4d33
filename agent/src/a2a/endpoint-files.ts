import type { Checked } from '@parley/guardian'
import { AgentError } from '../agent-error.js'
import { type Endpoint, type EndpointReason, parseEndpoint } from './endpoint.js'
import { pairingIds, readPairingFile } from './pairing-folder.js'

/** What an endpoint's file says, or why it counts for nothing. */
export type FoundEndpoint = Checked<
  Endpoint,
  EndpointReason | 'unknown_endpoint' | 'endpoint_file_world_readable'
>

/** An endpoint by the name of its file. */
export type ListedEndpoint = { readonly id: string; readonly found: FoundEndpoint }

/** The endpoints of a folder. Each question reads the file anew. */
export class EndpointFiles {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /** The endpoint of an id. It never throws. */
  find(id: string): FoundEndpoint {
    try {
      const endpoint = parseEndpoint(readPairingFile(this.#folder, id))
      return endpoint.ok && endpoint.value.endpoint_id !== id
        ? { ok: false, reason: 'endpoint_file_malformed' }
        : endpoint
    } catch (error) {
      return { ok: false, reason: reasonOf(error) }
    }
  }

  /** All of them, sorted by id. @throws AgentError `file_unusable` */
  list(): readonly ListedEndpoint[] {
    return pairingIds(this.#folder).map((id) => ({ id, found: this.find(id) }))
  }
}

const reasonOf = (
  error: unknown,
): 'unknown_endpoint' | 'endpoint_file_world_readable' | 'endpoint_file_malformed' => {
  const code = error instanceof AgentError ? error.code : undefined
  if (code === 'state_missing' || code === 'argument_invalid') return 'unknown_endpoint'
  return code === 'file_not_private' ? 'endpoint_file_world_readable' : 'endpoint_file_malformed'
}
