import {
  generateSigningKey,
  parseCanonicalJson,
  ProtocolError,
  REFUSALS,
  type RefusalCode,
  verifyRefusal,
} from '@parley/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { orRefuse, refusalResponse, refuse } from '../../src/session/refuse.js'
import { testRelay } from './test-relay.js'

const CODES = Object.keys(REFUSALS) as RefusalCode[]

describe.each(['software', 'confidential'] as const)('a refusal in the %s lane', (lane) => {
  const { keys } = testRelay({ lane }).deps
  const encapsulation = 'e'.repeat(64)

  it.each(CODES)('%s has the status of the one table, a signature and the smallest size class', (code) => {
    const response = refusalResponse(keys, encapsulation, refuse(code))
    expect(response.status).toBe(REFUSALS[code])
    expect(response.padTo).toBe(4096)
    const body = parseCanonicalJson(response.content)
    expect(verifyRefusal(body, keys.receiptKey.publicKey)).toMatchObject({
      code,
      lane,
      encapsulation,
      detail: null,
    })
    expect(() => verifyRefusal(body, generateSigningKey().publicKey)).toThrow(ProtocolError)
  })

  it('can carry whatever names an asker has chosen, cut to 256', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), fc.nat(300), (text, lead) => {
        const detail = 'x'.repeat(lead) + text
        const { content, padTo } = refusalResponse(keys, encapsulation, refuse('contract_refused', detail))
        const read = verifyRefusal(parseCanonicalJson(content), keys.receiptKey.publicKey)
        expect(detail.startsWith(read.detail ?? '?')).toBe(true)
        expect(padTo).toBe(4096)
      }),
    )
  })
})

describe('orRefuse', () => {
  it('turns an error of the protocol into a no, with no detail that was not asked for', () => {
    const fail = (): object => {
      throw new ProtocolError('object_malformed', 'member x')
    }
    expect(orRefuse('request_malformed', fail)).toEqual({ refused: 'request_malformed', detail: null })
    expect(orRefuse('request_malformed', fail, ({ code }) => code)).toMatchObject({
      detail: 'object_malformed',
    })
  })

  it('lets any other error go on', () => {
    const fail = (): object => {
      throw new RangeError('a bug')
    }
    expect(() => orRefuse('request_malformed', fail)).toThrow(RangeError)
  })
})
