import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { EFFECTS, parseEffectRequest, parseIntent } from '../../src/index.js'
import { request } from './stage.js'

describe('an intent', () => {
  test('is read as it was written, for every effect', () => {
    for (const effect of Object.keys(EFFECTS)) {
      const intent = { effect, resource: 'r', arguments: { a: [1, null] } }
      expect(parseIntent(intent)).toEqual(intent)
    }
  })

  test('throws nothing but protocol errors, whatever it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        for (const read of [parseIntent, parseEffectRequest])
          expect(() => read(value as never)).toThrow(expect.objectContaining({ name: 'ProtocolError' }))
      }),
    )
  })

  test.each(['effect', 'resource', 'arguments'])('is refused without %s', (member) => {
    const { [member]: _, ...rest }: Record<string, string | object> = {
      ...{ effect: 'tool', resource: 'r', arguments: {} },
    }
    expect(() => parseIntent(rest as never)).toThrow(expect.objectContaining({ code: 'object_malformed' }))
  })

  test.each(['toString', '__proto__', 'constructor', 'Tool', ''])('names no effect by %j', (effect) => {
    expect(() => parseIntent({ effect, resource: 'r', arguments: {} })).toThrow(
      expect.objectContaining({ code: 'object_malformed' }),
    )
  })
})

describe('an effect request', () => {
  test('is copied, so that nobody changes it while it waits', () => {
    const given = { ...request, arguments: { list: [1] } }
    const read = parseEffectRequest(given)
    given.arguments.list.push(2)
    expect(read.arguments).toEqual({ list: [1] })
  })
})
