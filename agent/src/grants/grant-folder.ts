import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  type CountedGrant,
  type Grant,
  GrantBook,
  type GrantPages,
  type GrantRecord,
  type Revocation,
  type UseTaken,
  verifyGrant,
  verifyRevocation,
} from '@parley/guardian'
import { canonicalize, hash, type JsonValue } from '@parley/protocol'
import * as v from 'valibot'
import { AgentError } from '../agent-error.js'
import { type Clock, nowSeconds } from '../clock.js'
import { createPrivateFile, isCode } from '../private-file.js'
import { json, readState } from '../read-state.js'
import { StateFile } from '../state-file.js'
import { EMPTY_PAGES, readGrantBook, writtenGrantBook } from './grant-book-file.js'

const GRANT_FILE = /^[0-9a-f]{64}\.json$/

const grantFile = v.strictObject({ version: v.literal('parley-grant-v1'), grant: json })

/**
 * The grants that a home holds, one private file each, and one book of how often they were used and which were revoked.
 * The book is read anew at every use, so that another process's revocation binds the next one, and is on the disk before a
 * use counts: after a crash it holds no fewer uses than were permitted.
 */
export class GrantFolder {
  readonly #folder: string
  readonly #clock: Clock

  /** @param folder of this home alone */
  constructor(folder: string, clock: Clock) {
    this.#folder = folder
    this.#clock = clock
  }

  /**
   * Keeps a grant; one that is there already stays as it is.
   * @throws ProtocolError `object_malformed`, `signature_invalid`
   * @throws AgentError `file_unusable`
   */
  async keep(value: JsonValue): Promise<Grant> {
    const grant = verifyGrant(value)
    const path = join(this.#folder, `${hash(grant)}.json`)
    try {
      await createPrivateFile(path, canonicalize({ version: 'parley-grant-v1', grant }))
    } catch (error) {
      if (!(error instanceof AgentError && error.code === 'state_exists')) throw error
    }
    return grant
  }

  /**
   * Every grant that is held, in no order; a folder that is not there holds none.
   * @throws AgentError `state_malformed`, `file_not_private`, `file_unusable`: a broken folder permits nothing.
   */
  held(): readonly Grant[] {
    return namesIn(this.#folder).map((name) =>
      readState(join(this.#folder, name), grantFile, ({ grant }) => verifyGrant(grant)),
    )
  }

  /**
   * Counts one use of each, or none.
   * @throws AgentError `state_malformed`, `file_not_private`, `file_unusable`, `state_locked`: nothing is permitted then.
   */
  async take(uses: readonly CountedGrant[]): Promise<UseTaken> {
    let taken: UseTaken = 'store_full'
    await this.#change((book) => {
      taken = book.take(uses, nowSeconds(this.#clock))
    })
    return taken
  }

  /**
   * Takes an issuer's word that a grant no longer stands, whether the grant is held here or not.
   * @throws ProtocolError `object_malformed`, `signature_invalid`
   * @throws AgentError as {@link take}
   */
  async revoke(value: JsonValue): Promise<Revocation> {
    const revocation = verifyRevocation(value)
    await this.#change((book) => {
      book.revoke(revocation)
    })
    return revocation
  }

  /** What the book says of a grant. @throws AgentError as {@link take} */
  recordOf(grant: Pick<Grant, 'iss' | 'jti'>): GrantRecord | undefined {
    return new GrantBook(this.#pages()).find(grant)
  }

  async #change(change: (book: GrantBook) => void): Promise<void> {
    await new StateFile(this.#book, readGrantBook).update((pages) => {
      const before = pages ?? EMPTY_PAGES
      const book = new GrantBook(before)
      change(book)
      return writtenGrantBook(before, book.pages())
    })
  }

  #pages(): GrantPages {
    try {
      return readGrantBook(this.#book)
    } catch (error) {
      if (error instanceof AgentError && error.code === 'state_missing') return EMPTY_PAGES
      throw error
    }
  }

  get #book(): string {
    return join(this.#folder, 'book.json')
  }
}

const namesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder).filter((name) => GRANT_FILE.test(name))
  } catch (error) {
    if (isCode(error, 'ENOENT')) return []
    throw new AgentError('file_unusable', `${folder} can't be read`)
  }
}
