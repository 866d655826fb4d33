import { isWellFormed, type JsonValue, ProtocolError } from '@parley/protocol'
import { SecretHandle } from './secret-handle.js'
import { holdsSpelling, spellingsOf } from './secret-traces.js'

type Kept = { readonly handle: SecretHandle; readonly value: string; readonly spellings: readonly string[] }

/** A shorter one would be found in texts that have nothing to do with it. */
const LEAST_CHARACTERS = 8

/**
 * The host's credentials. Values come out at one place, for a capability that declared the name, and everything that
 * comes back from there is searched for all of them.
 */
export class SecretVault {
  readonly #kept: Kept[] = []

  /**
   * Keeps a secret under a name of a credential context; a name that is taken gets the new value.
   * @throws ProtocolError `key_refused` on fewer than 8 characters, or a lone surrogate
   */
  keep(context: string, name: string, value: string): SecretHandle {
    if (value.length < LEAST_CHARACTERS || !isWellFormed(value))
      throw new ProtocolError('key_refused', `secret of ${value.length} characters; 8 are the least`)
    const handle = new SecretHandle(context, name)
    this.#kept.push({ handle, value, spellings: spellingsOf(value) })
    return handle
  }

  /** The value, for the host's own use. @throws ProtocolError `key_refused` where there is none */
  reveal(context: string, name: string): string {
    const found = this.#kept.findLast(({ handle }) => handle.context === context && handle.name === name)
    if (found === undefined)
      throw new ProtocolError('key_refused', 'no such secret in this credential context')
    return found.value
  }

  /** True if any secret that was ever kept here stands in the value, of whichever context. */
  isIn(value: JsonValue): boolean {
    return this.#kept.some(({ spellings }) => holdsSpelling(value, spellings))
  }
}
