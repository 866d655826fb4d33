import { expect, test } from 'vitest'
import { parseRelayUrl } from '../src/relay-url.js'

test.each([
  ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
  ['http://127.0.0.1:8080/', 'http://127.0.0.1:8080'],
  ['HTTPS://Relay.Example/parley/', 'https://relay.example/parley'],
])('%s is the relay at %s', (text, url) => {
  expect(parseRelayUrl(text)).toBe(url)
})

test.each([
  '',
  'relay',
  'file:///etc/passwd',
  'ftp://a',
  'http://user:pass@a',
  'http://u@a',
  'http://a?x=1',
  'http://a#x',
])('%j is no relay', (text) => {
  expect(() => parseRelayUrl(text)).toThrow(expect.objectContaining({ code: 'url_malformed' }))
})
