import { AttestationError, type AttestationErrorCode } from './errors.js'

/**
 * `passed` · `failed`, with a code · `any` nothing is asked of it: the policy leaves it open, or no CRL is
 * there · `waived` the policy does without, with a reason, and nothing here is trusted · `not_run` something it depends on failed.
 */
export type CheckResult = 'passed' | 'failed' | 'any' | 'waived' | 'not_run'

/** Whose word a check rests on. `nobody` where it is the verifier's own arithmetic, or no root was found. */
export type Trustee = 'amd' | 'simulated root' | 'nobody'

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

/** Runs steps by name and keeps what became of each. A failure is kept, not thrown; a fault of ours is thrown. */
export class CheckLog<Name extends string> {
  readonly #entries: Map<Name, Entry>

  constructor(names: readonly Name[]) {
    this.#entries = new Map(names.map((name) => [name, NOT_RUN]))
  }

  /** Runs a step; its value where it passed, undefined where it failed. */
  attempt<T>(name: Name, step: () => T): T | undefined {
    try {
      const value = step()
      this.#entries.set(name, PASSED)
      return value
    } catch (error) {
      this.#fail(name, error)
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
      this.#fail(name, error)
      return undefined
    }
  }

  /** Runs a step that can pass in more than one way. */
  judge(name: Name, step: () => CheckResult): void {
    const result = this.attempt(name, step)
    if (result !== undefined) this.#entries.set(name, { result, code: null })
  }

  /** The same for a step that takes its time. */
  async judgeAsync(name: Name, step: () => Promise<CheckResult>): Promise<void> {
    const result = await this.attemptAsync(name, step)
    if (result !== undefined) this.#entries.set(name, { result, code: null })
  }

  /** All checks, in order, resting on this root; those named as bare rest on nobody. */
  conclude(trustee: Trustee, bare: readonly Name[] = []): Check<Name>[] {
    return Array.from(this.#entries, ([name, entry]) => ({
      name,
      ...entry,
      trusted_for: bare.includes(name) ? 'nobody' : trustee,
    }))
  }

  #fail(name: Name, error: unknown): void {
    if (!(error instanceof AttestationError)) throw error
    this.#entries.set(name, { result: 'failed', code: error.code })
  }
}

/** Whether nothing failed and nothing was left out. */
export const allHold = (checks: readonly Check[]): boolean =>
  checks.every(({ result }) => result === 'passed' || result === 'any')

/** The code of the first failure in order, or null where none failed. */
export const firstFailure = (checks: readonly Check[]): AttestationErrorCode | null =>
  checks.find(({ result }) => result === 'failed')?.code ?? null
