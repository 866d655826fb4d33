import { AttestationError, type AttestationErrorCode } from './errors.js'

/**
 * `passed` · `failed`, with a code · `any` nothing is asked of it: the policy leaves it open, or no CRL is
 * there · `waived` the policy does without, with a reason, and nothing here is trusted · `not_run` something it depends on failed.
 */
export type CheckResult = 'passed' | 'failed' | 'any' | 'waived' | 'not_run'

/** Whose word a check rests on. `nobody` where it is the verifier's own arithmetic, or no root was found. */
export type Trustee = 'amd' | 'google' | 'simulated root' | 'nobody'

/** One named step of an appraisal. */
export type Check<Name extends string = string> = {
  readonly name: Name
  readonly result: CheckResult
  readonly code: AttestationErrorCode | null
  readonly trusted_for: Trustee
}

type Entry = { readonly result: CheckResult; readonly code: AttestationErrorCode | null }

const NOT_RUN: Entry = { result: 'not_run', code: null }
const PASSED: Entry = { result: 'passed', code: null }

const judged = (result: CheckResult): Entry => (result === 'passed' ? PASSED : { result, code: null })

const failed = (error: unknown): Entry => {
  if (!(error instanceof AttestationError)) throw error
  return { result: 'failed', code: error.code }
}

/** Runs steps by name and keeps what became of each. A failure is kept, not thrown; a fault of ours is thrown. */
export class CheckLog<Name extends string> {
  readonly #names: readonly Name[]
  readonly #entries = new Map<Name, Entry>()

  constructor(names: readonly Name[]) {
    this.#names = names
  }

  /** Runs a step; its value where it passed, undefined where it failed. */
  attempt<T>(name: Name, step: () => T): T | undefined {
    try {
      const value = step()
      this.#entries.set(name, PASSED)
      return value
    } catch (error) {
      this.#entries.set(name, failed(error))
      return undefined
    }
  }

  /** The same for a step that takes its time. */
  async attemptAsync<T>(name: Name, step: () => Promise<T>): Promise<T | undefined> {
    try {
      const value = await step()
      this.#entries.set(name, PASSED)
      return value
    } catch (error) {
      this.#entries.set(name, failed(error))
      return undefined
    }
  }

  /** Runs a step that can pass in more than one way, on what it is about. */
  judge<Matter>(name: Name, step: (matter: Matter) => CheckResult, matter: Matter): void {
    try {
      this.#entries.set(name, judged(step(matter)))
    } catch (error) {
      this.#entries.set(name, failed(error))
    }
  }

  /** The same for a step that takes its time. */
  async judgeAsync<Matter>(
    name: Name,
    step: (matter: Matter) => Promise<CheckResult>,
    matter: Matter,
  ): Promise<void> {
    try {
      this.#entries.set(name, judged(await step(matter)))
    } catch (error) {
      this.#entries.set(name, failed(error))
    }
  }

  /** All checks, in order, resting on this root; those named as bare rest on nobody. */
  conclude(trustee: Trustee, bare: readonly Name[] = []): Check<Name>[] {
    return this.#names.map((name) => {
      const { result, code } = this.#entries.get(name) ?? NOT_RUN
      return { name, result, code, trusted_for: bare.includes(name) ? 'nobody' : trustee }
    })
  }
}

/** Whether nothing failed and nothing was left out. */
export const allHold = (checks: readonly Check[]): boolean =>
  checks.every(({ result }) => result === 'passed' || result === 'any')

/** The code of the first failure in order, or null where none failed. */
export const firstFailure = (checks: readonly Check[]): AttestationErrorCode | null =>
  checks.find(({ result }) => result === 'failed')?.code ?? null
