import { expect } from 'vitest'
import { encodeRequest, encodeResponse, parseRequest, parseResponse } from '../../src/bhttp.js'
import { toHex } from '../../src/bytes.js'
import { codeOf } from '../code-of.js'
import type { Consumer } from './vector.js'

const message =
  <T extends { content: Uint8Array }>(
    part: string,
    parse: (bytes: Uint8Array) => T,
    encode: (message: T) => Uint8Array,
  ): Consumer =>
  ({ expected, bytes }) => {
    const wire = bytes('message.bin')
    if (expected['outcome'] === 'refused') {
      expect(codeOf(() => parse(wire))).toBe(expected['code'])
      return
    }
    const { content, ...rest } = parse(wire)
    expect(rest).toEqual(expected[part])
    expect(toHex(content)).toBe(expected['content'])
    expect(parse(encode(parse(wire)))).toEqual(parse(wire))
  }

export const bhttpConsumers: Record<string, Consumer> = {
  'bhttp-request': message('request', parseRequest, encodeRequest),
  'bhttp-response': message('response', parseResponse, encodeResponse),
}
