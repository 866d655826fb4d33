import { AttestationError } from '@parley/attestation'
import { ProtocolError, type Refusal, type RefusalCode } from '@parley/protocol'
import { expect, test } from 'vitest'
import { explain } from '../../src/cli/exit-code.js'
import { AgentError, type AgentErrorCode, RelayRefusal } from '../../src/index.js'
import { play } from './terminal.js'

const CODES: Readonly<Record<AgentErrorCode, number>> = {
  argument_invalid: 1,
  file_not_private: 1,
  file_unusable: 1,
  input_conflict: 1,
  input_refused: 1,
  invitation_refused: 1,
  state_exists: 1,
  state_locked: 1,
  state_malformed: 1,
  state_missing: 1,
  url_malformed: 1,
  keyset_expired: 3,
  relay_changed: 3,
  relay_not_trusted: 3,
  ledger_mismatch: 4,
  offer_refused: 4,
  result_mismatch: 4,
  answer_malformed: 5,
  consent_timeout: 7,
  gateway_key_unknown: 7,
  gateway_refused: 7,
  offer_timeout: 7,
  relay_unreachable: 7,
  result_timeout: 7,
}
const isKnown = (code: string): code is AgentErrorCode => code in CODES

test.each(Object.entries(CODES))('%s exits with %i', (code, exit) => {
  expect(isKnown(code)).toBe(true)
  if (!isKnown(code)) return
  expect(explain(new AgentError(code, 'why'))).toEqual({ code: exit, text: `${code}: why` })
})

test('what is malformed exits with 5, a policy that is unusable with 1', () => {
  expect(explain(new ProtocolError('object_malformed', 'why'))?.code).toBe(5)
  expect(explain(new AttestationError('policy_malformed', 'why'))?.code).toBe(1)
})

const refusalOf = (code: RefusalCode, detail: string | null = null): Refusal => ({
  version: 'parley-refusal-v1',
  lane: 'software',
  keyset_digest: '1'.repeat(64),
  encapsulation: '2'.repeat(64),
  code,
  detail,
  signature: 'A'.repeat(86),
})

test('a refusal by the relay exits with 6, with its code, a sentence and the detail', () => {
  expect(explain(new RelayRefusal(refusalOf('contract_refused', 'keyword_unknown /output_schema')))).toEqual({
    code: 6,
    text: 'contract_refused: the relay does not admit the contract (keyword_unknown /output_schema)',
  })
})

test('a head that the relay’s store lacks is explained: where it lies, and what to do', () => {
  const known = explain(new RelayRefusal(refusalOf('ledger_head_unknown'), '/home/ledger/ab.json'))
  expect(known?.code).toBe(6)
  expect(known?.text).toMatch(/^ledger_head_unknown: .*store does not know.*rolled back.*another store/)
  expect(known?.text).toMatch(/one tag per relay.*Your head is in \/home\/ledger\/ab\.json$/)
})

test('the place of a head is in no other refusal', () => {
  expect(new RelayRefusal(refusalOf('budget_exhausted'), '/home/ledger/ab.json').message).not.toContain(
    '/home',
  )
})

test('a defect is nobody’s exit code', () => {
  expect(explain(new TypeError('defect'))).toBeUndefined()
})

test.each([[[]], [['session', 'new']], [['relay', 'check']], [['verify']]])(
  'the help of parley %j says what each exit code means',
  async (command) => {
    const { code, out } = await play([...command, '--help'])
    expect(code).toBe(0)
    for (const exit of [
      '0 done',
      '1 usage',
      '2 not genuine',
      '3 not expected',
      '4 does not match',
      '5 malformed',
    ])
      expect(out.replace(/\s+/g, ' ')).toContain(exit)
    for (const exit of ['6 the relay refused', '7 no answer']) expect(out).toContain(exit)
  },
)

test('the help says that a tag is of one relay', async () => {
  expect((await play(['session', 'new', '--help'])).out.replace(/\s+/g, ' ')).toContain('at one relay only')
})
