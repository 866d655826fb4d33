import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { recordOf } from '../../src/objects/record-of.js'
import { parseJson } from '../../src/parse-json.js'

const record = recordOf(v.pipe(v.string(), v.minLength(1)), v.number())

describe('a record', () => {
  test.each(['constructor', 'prototype', '__proto__', 'toString'])('keeps a member named %s', (name) => {
    const read = v.parse(record, parseJson(`{"${name}":1}`))
    expect(Object.entries(read)).toEqual([[name, 1]])
  })

  test.each(['{"__proto__":"1"}', '{"constructor":null}', '{"":1}', '[]', 'null', '"a"'])(
    'is not %s',
    (text) => {
      expect(v.is(record, parseJson(text))).toBe(false)
    },
  )
})
