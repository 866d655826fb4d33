import { expect } from 'vitest'
import { AttestationError, type AttestationErrorCode } from '../../src/errors.js'

/** Asserts that something is refused, and with which code. */
export const refusedAs = async (code: AttestationErrorCode, run: () => unknown): Promise<void> => {
  const outcome = await Promise.resolve()
    .then(run)
    .catch((error: unknown) => error)
  expect(outcome).toBeInstanceOf(AttestationError)
  expect(outcome).toHaveProperty('code', code)
}

/** Asserts that a parser of arbitrary bytes returns, or throws one of our own with this code. */
export const onlyRefusesAs = (code: AttestationErrorCode, run: () => unknown): void => {
  try {
    run()
  } catch (error) {
    expect(error).toBeInstanceOf(AttestationError)
    expect(error).toHaveProperty('code', code)
  }
}
