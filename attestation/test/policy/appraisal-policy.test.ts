import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AttestationError, parseAppraisalPolicy } from '../../src/index.js'
import { codeOf } from '../evidence-folder.js'
import { policyJson, policyJsonWithout, policyWith } from '../policies.js'

const refusal = (value: unknown): AttestationError => {
  try {
    parseAppraisalPolicy(value)
  } catch (error) {
    if (error instanceof AttestationError) return error
    throw error
  }
  throw new Error('the policy was taken')
}

const withMember = (member: string, value: unknown): unknown => ({ ...policyJson(), [member]: value })

describe('an appraisal policy', () => {
  it('is read where every member is there', () => {
    expect(policyWith().products).toEqual(['Milan', 'Genoa', 'Turin'])
  })

  it.each(Object.keys(policyJson()))('without the member %s is refused, and the member named', (member) => {
    const { code, message } = refusal(policyJsonWithout(member))
    expect(code).toBe('reference_value_missing')
    expect(message).toContain(member)
  })

  it.each(['smt', 'debug', 'page_swap_disabled', 'abi_minimum'])(
    'without guest_policy.%s is refused',
    (member) => {
      const guest_policy = Object.fromEntries(
        Object.entries(policyWith().guest_policy ?? {}).filter(([name]) => name !== member),
      )
      const { code, message } = refusal(withMember('guest_policy', guest_policy))
      expect(code).toBe('reference_value_missing')
      expect(message).toContain(`guest_policy.${member}`)
    },
  )

  it.each(['Milan', 'Genoa', 'Turin'])('without floors for %s, which it expects, is refused', (product) => {
    const tcb_minimum = { ...policyWith().tcb_minimum, [product]: undefined }
    const { code, message } = refusal(withMember('tcb_minimum', JSON.parse(JSON.stringify(tcb_minimum))))
    expect(code).toBe('reference_value_missing')
    expect(message).toContain(`tcb_minimum.${product}`)
  })

  it('needs no floors for a product line that it does not expect', () => {
    expect(
      policyWith({
        products: ['Milan'],
        tcb_minimum: { Milan: { bootloader: 0, tee: 0, snp: 0, microcode: 0 } },
      }).products,
    ).toEqual(['Milan'])
  })

  it('may leave out what it waives by name, and nothing else', async () => {
    const waive = [{ check: 'measurement', reason: 'not known yet' }]
    expect(parseAppraisalPolicy({ ...policyJsonWithout('measurement'), waive }).measurement).toBeUndefined()
    expect(await codeOf(() => parseAppraisalPolicy({ ...policyJsonWithout('vmpl'), waive }))).toBe(
      'reference_value_missing',
    )
  })

  it('that waives the guest policy still says what it expects of debug', async () => {
    const waive = [{ check: 'guest_policy', reason: 'not known yet' }]
    expect(await codeOf(() => parseAppraisalPolicy({ ...policyJsonWithout('guest_policy'), waive }))).toBe(
      'reference_value_missing',
    )
    const both = [...waive, { check: 'debug', reason: 'a test machine' }]
    expect(parseAppraisalPolicy({ ...policyJsonWithout('guest_policy'), waive: both }).waive).toHaveLength(2)
  })

  it.each<[string, unknown]>([
    ['an unknown member', withMember('colour', 'red')],
    ['any measurement', withMember('measurement', { any: 'whatever' })],
    ['a measurement that is too short', withMember('measurement', { equals: 'ab' })],
    ['a measurement in capitals', withMember('measurement', { equals: 'AB'.repeat(48) })],
    ['an empty list of measurements', withMember('measurement', { one_of: [] })],
    [
      'both a value and a list',
      withMember('measurement', { equals: 'ab'.repeat(48), one_of: ['ab'.repeat(48)] }),
    ],
    ['an identity that may be anything for no reason', withMember('chip_id', { any: '' })],
    ['a waiver for no reason', withMember('waive', [{ check: 'measurement', reason: '' }])],
    [
      'a waiver of what can not be waived',
      withMember('waive', [{ check: 'report_signature', reason: 'no' }]),
    ],
    ['a waiver of freshness', withMember('waive', [{ check: 'report_data', reason: 'no' }])],
    ['a waiver of an identity: it says any', withMember('waive', [{ check: 'chip_id', reason: 'no' }])],
    ['the privilege level of the host', withMember('vmpl', [0xffffffff])],
    ['a privilege level above 3', withMember('vmpl', [4])],
    ['no privilege level at all', withMember('vmpl', [])],
    ['no product line at all', withMember('products', [])],
    ['an unknown product line', withMember('products', ['Venice'])],
    ['debug allowed', withMember('guest_policy', { ...policyWith().guest_policy, debug: 'allow' })],
    [
      'an unknown member of the guest policy',
      withMember('guest_policy', { ...policyWith().guest_policy, turbo: 'allow' }),
    ],
    [
      'a floor that is no byte',
      withMember('tcb_minimum', {
        ...policyWith().tcb_minimum,
        Milan: { bootloader: 256, tee: 0, snp: 0, microcode: 0 },
      }),
    ],
    [
      'a floor for an FMC that Milan has not',
      withMember('tcb_minimum', {
        ...policyWith().tcb_minimum,
        Milan: { fmc: 0, bootloader: 0, tee: 0, snp: 0, microcode: 0 },
      }),
    ],
    ['launch that covers something else', withMember('launch_covers', 'everything')],
    ['a text', 'policy'],
    ['nothing', null],
  ])('that holds %s is refused as malformed', (_, value) => {
    expect(refusal(value).code).toBe('policy_malformed')
  })

  it('is refused by a code of ours, whatever it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(['policy_malformed', 'reference_value_missing']).toContain(refusal(value).code)
      }),
    )
  })
})
