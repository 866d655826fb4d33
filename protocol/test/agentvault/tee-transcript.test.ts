import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type TeeTranscript, teeTranscriptHash, toHex } from '../../src/index.js'
import { codeOf } from '../code-of.js'

const TRANSCRIPT: TeeTranscript = {
  contract_hash: '01',
  initiator_submission_hash: '02',
  model_identity_asserted: 'anthropic/example',
  output_hash: '03',
  prompt_template_hash: '',
  receipt_signing_pubkey_hex: '04',
  responder_submission_hash: '05',
}
const sha512 = (text: string): string => createHash('sha512').update(text).digest('hex')

describe('a transcript of the TEE lane', () => {
  it('is a text with its members in order', () => {
    expect(toHex(teeTranscriptHash(TRANSCRIPT))).toBe(
      sha512(
        '{"contract_hash":"01","initiator_submission_hash":"02","model_identity_asserted":"anthropic/example",' +
          '"output_hash":"03","prompt_template_hash":"","receipt_signing_pubkey_hex":"04",' +
          '"responder_submission_hash":"05","version":"av-tee-transcript-v2"}',
      ),
    )
  })

  it('of the first version leaves the model out', () => {
    expect(toHex(teeTranscriptHash({ ...TRANSCRIPT, model_identity_asserted: null }))).toBe(
      sha512(
        '{"contract_hash":"01","initiator_submission_hash":"02",' +
          '"output_hash":"03","prompt_template_hash":"","receipt_signing_pubkey_hex":"04",' +
          '"responder_submission_hash":"05","version":"av-tee-transcript-v1"}',
      ),
    )
  })

  it.each(['"', '\\', '\n', '\u007f', 'é'])(
    'is refused with %j in a value: it would need an escape',
    (character) => {
      const model_identity_asserted = `a${character}b`
      expect(codeOf(() => teeTranscriptHash({ ...TRANSCRIPT, model_identity_asserted }))).toBe(
        'object_malformed',
      )
    },
  )

  it('is the SHA-512 of JSON wherever it is not refused', () => {
    fc.assert(
      fc.property(fc.string(), (model_identity_asserted) => {
        const transcript = { ...TRANSCRIPT, model_identity_asserted }
        if (codeOf(() => teeTranscriptHash(transcript)) !== 'accepted') return
        const text = JSON.stringify({ ...transcript, version: 'av-tee-transcript-v2' })
        expect(toHex(teeTranscriptHash(transcript))).toBe(sha512(text))
      }),
    )
  })
})
