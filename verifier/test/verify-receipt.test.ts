import { canonicalBytes, type Receipt, signReceipt } from '@parley/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { verifyReceiptFile } from '../src/index.js'
import { failures, notRun } from './judge.js'
import { KEYS, mintBundle } from './minted-bundle.js'
import { simulateRelay } from './simulated-relay.js'
import { without } from './without.js'

const key = KEYS.receipt.publicKey
const { receipt } = await mintBundle('software', null)
const verify = (value: Receipt, under = key) =>
  verifyReceiptFile({ bytes: canonicalBytes(value), key: under })

describe('a receipt under a pinned key', () => {
  it('is trusted as SELF_ASSERTED where that key signed it', () => {
    const verdict = verify(receipt)
    expect(verdict).toMatchObject({
      procedure: 'receipt',
      trusted: true,
      exit_code: 0,
      assurance_level: 'SELF_ASSERTED',
      session_id: receipt.session_id,
      outcome: receipt.outcome,
    })
    expect(notRun(verdict)).toEqual({ receipt_tee: 'software_lane' })
  })

  it('of the confidential lane is no more than SELF_ASSERTED: nobody looked at hardware', async () => {
    const confidential = (await (await simulateRelay()).mint()).receipt
    expect(verify(confidential)).toMatchObject({
      trusted: true,
      assurance_level: 'SELF_ASSERTED',
      simulated: false,
    })
  })

  it('does not match where another key is pinned', () => {
    const verdict = verify(receipt, KEYS.stranger.publicKey)
    expect(verdict).toMatchObject({ trusted: false, exit_code: 4, assurance_level: null, outcome: null })
    expect(failures(verdict)).toEqual({ receipt_signature: 'signature_invalid' })
  })

  it('is not saved by naming the pinned key in its tee', async () => {
    const confidential = (await (await simulateRelay()).mint()).receipt
    const core = without(confidential, 'signature')
    const forged = signReceipt(core, KEYS.stranger)
    expect(failures(verify(forged))).toEqual({ receipt_signature: 'signature_invalid' })
    expect(failures(verify(forged, KEYS.stranger.publicKey))).toEqual({ receipt_tee: 'tee_mismatch' })
  })

  it.each<[string, Uint8Array, string]>([
    ['another version', canonicalBytes({ ...receipt, version: 'parley-receipt-v2' }), 'object_malformed'],
    ['white space', new TextEncoder().encode(JSON.stringify(receipt, null, 1)), 'json_not_canonical'],
    ['no JSON', new TextEncoder().encode('receipt'), 'json_malformed'],
  ])('is malformed with %s', (_, bytes, code) => {
    const verdict = verifyReceiptFile({ bytes, key })
    expect(verdict.exit_code).toBe(5)
    expect(failures(verdict)).toEqual({ receipt_form: code })
  })

  it('of AgentVault is verified as one of AgentVault, whether it is well formed or not', () => {
    const verdict = verifyReceiptFile({ bytes: canonicalBytes({ receipt_schema_version: '2.1.0' }), key })
    expect(verdict).toMatchObject({ procedure: 'agentvault', exit_code: 5 })
    expect(failures(verdict)).toEqual({ agentvault_form: 'object_malformed' })
  })

  it('of ours does not become one of AgentVault by a member of theirs', () => {
    const bytes = canonicalBytes({ ...receipt, receipt_schema_version: '2.1.0' })
    expect(failures(verifyReceiptFile({ bytes, key }))).toEqual({ receipt_form: 'object_malformed' })
  })

  it('is refused with any byte flipped', () => {
    const bytes = canonicalBytes(receipt)
    for (let at = 0; at < bytes.length; at++) {
      const changed = Uint8Array.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(verifyReceiptFile({ bytes: changed, key }).trusted).toBe(false)
    }
  })

  it('never throws, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 256 }), (bytes) => {
        expect(verifyReceiptFile({ bytes, key }).exit_code).toBe(5)
      }),
    )
  })
})
