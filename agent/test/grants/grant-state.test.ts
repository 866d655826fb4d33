import { expect, test } from 'vitest'
import { grantState } from '../../src/grants/grant-state.js'
import { consent } from '../double/consents.js'
import { NOW_SECONDS } from '../double/keys.js'

const record = (uses: number, revoked = false) => {
  const { iss, jti, exp } = consent()
  return { iss, jti, exp, uses, revoked }
}

test.each([
  ['never used', undefined, 0, 'active'],
  ['used once of twice', record(1), 3599, 'active'],
  ['used twice of twice', record(2), 0, 'used up'],
  ['at its end', undefined, 3600, 'expired'],
  ['used up and at its end', record(2), 3600, 'expired'],
  ['revoked', record(0, true), 0, 'revoked'],
  ['revoked and at its end', record(0, true), 3600, 'revoked'],
] as const)('a grant %s is shown as such', (_, found, after, expected) => {
  expect(grantState(consent(), found, NOW_SECONDS + after)).toBe(expected)
})
