import { describe, expect, it } from 'vitest'
import { utf8 } from '../src/bytes.js'
import { contentDigest, isContentDigest } from '../src/content-digest.js'

const content = utf8('{"hello": "world"}')
const VALUE = 'sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:'

describe('Content-Digest', () => {
  it('gives the value of the example of RFC 9530, Appendix B', () => {
    expect(contentDigest(content)).toBe(VALUE)
    expect(isContentDigest(VALUE, content)).toBe(true)
  })

  it.each([
    ['other content', VALUE, utf8('{"hello": "world"} ')],
    ['another algorithm', VALUE.replace('256', '512'), content],
    ['a second digest', `${VALUE}, ${VALUE}`, content],
    ['no value', '', content],
    ['a space', ` ${VALUE}`, content],
  ])('%s is not accepted', (_, value, bytes) => {
    expect(isContentDigest(value, bytes)).toBe(false)
  })
})
