import { randomBytes } from 'node:crypto'
import { isOfSubject, subjectPseudonym } from '@parley/guardian'
import { fromBase64url, type JsonValue, recordOf, toBase64url } from '@parley/protocol'
import * as v from 'valibot'
import { AgentError } from '../agent-error.js'
import { readState } from '../read-state.js'
import { StateFile } from '../state-file.js'

const SALT_BYTES = 32

const schema = v.strictObject({
  version: v.literal('parley-subject-salts-v1'),
  salts: recordOf(v.pipe(v.string(), v.minLength(1), v.maxLength(256)), v.string()),
})

type Salts = ReadonlyMap<string, Uint8Array>

const read = (path: string): Salts =>
  readState(
    path,
    schema,
    ({ salts }) =>
      new Map(Object.entries(salts).map(([name, salt]) => [name, fromBase64url(salt, SALT_BYTES)])),
  )

const written = (salts: Salts): { readonly value: Salts; readonly json: JsonValue } => ({
  value: salts,
  json: {
    version: 'parley-subject-salts-v1',
    salts: Object.fromEntries(Array.from(salts, ([name, salt]) => [name, toBase64url(salt)])),
  },
})

/** The salts under which subjects stand in a home's log: the only link between an entry and whom it is about. */
export class SubjectSalts {
  readonly #path: string

  constructor(path: string) {
    this.#path = path
  }

  /**
   * The pseudonym of a subject; it has one from the first time on.
   * @throws AgentError `state_malformed`, `file_not_private`, `file_unusable`, `state_locked`
   */
  async pseudonymOf(subject: string): Promise<string> {
    const known = this.#current().get(subject)
    if (known !== undefined) return subjectPseudonym(known, subject)
    const salts = await this.#file().update((current) => {
      if (current?.has(subject) === true) return null
      return written(new Map([...(current ?? []), [subject, new Uint8Array(randomBytes(SALT_BYTES))]]))
    })
    const salt = salts?.get(subject)
    if (salt === undefined) throw new AgentError('state_malformed', `${this.#path} keeps no salt`)
    return subjectPseudonym(salt, subject)
  }

  /** The pseudonyms that a subject, and what is under it, has so far. @throws AgentError as {@link pseudonymOf} */
  pseudonymsUnder(subject: string): ReadonlySet<string> {
    const own = [...this.#current()].filter(([name]) => isOfSubject(subject, name))
    return new Set(own.map(([name, salt]) => subjectPseudonym(salt, name)))
  }

  /** Destroys them: from here on nobody can tell which entries were theirs. @throws AgentError as {@link pseudonymOf} */
  async forget(subject: string): Promise<void> {
    await this.#file().update((current) =>
      current === null
        ? null
        : written(new Map([...current].filter(([name]) => !isOfSubject(subject, name)))),
    )
  }

  #file(): StateFile<Salts> {
    return new StateFile(this.#path, read)
  }

  #current(): Salts {
    try {
      return read(this.#path)
    } catch (error) {
      if (error instanceof AgentError && error.code === 'state_missing') return new Map()
      throw error
    }
  }
}
