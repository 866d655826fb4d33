import { describe, expect, it } from 'vitest'
import { AttestationError, failureClass } from '../src/index.js'

describe('an error of this package', () => {
  it('bears a code of the closed union and says its class', () => {
    const error = new AttestationError('report_malformed', 'a report has 1184 bytes')
    expect(error).toMatchObject({ name: 'AttestationError', code: 'report_malformed' })
    expect(failureClass(error.code)).toBe('malformed')
  })

  it.each([
    ['report_version_unsupported', 'malformed'],
    ['certificate_table_malformed', 'malformed'],
    ['collateral_missing', 'not_genuine'],
    ['root_not_pinned', 'not_genuine'],
    ['certificate_expired', 'not_genuine'],
    ['measurement_mismatch', 'not_expected'],
    ['debug_enabled', 'not_expected'],
    ['provider_missing', 'collection'],
    ['reference_value_missing', 'usage'],
  ] as const)('%s is %s', (code, expected) => {
    expect(failureClass(code)).toBe(expected)
  })
})
