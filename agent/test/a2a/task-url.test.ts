import { expect, test } from 'vitest'
import { isLoopback, parseTaskUrl } from '../../src/a2a/task-url.js'

test.each([
  ['https://peer.example', 'https://peer.example/v1/a2a/task'],
  ['https://peer.example:8443/a2a', 'https://peer.example:8443/a2a'],
  ['http://127.0.0.1:7433/', 'http://127.0.0.1:7433/v1/a2a/task'],
  ['http://[::1]:7433', 'http://[::1]:7433/v1/a2a/task'],
  ['http://localhost', 'http://localhost/v1/a2a/task'],
])('%s is %s', (text, url) => {
  expect(parseTaskUrl(text)).toBe(url)
  expect(parseTaskUrl(url)).toBe(url)
})

test.each([
  'http://peer.example',
  'http://127.0.0.1.peer.example',
  'http://10.0.0.1',
  'http://[::2]',
  'https://user@peer.example',
  'https://:word@peer.example',
  'https://peer.example/?a=1',
  'https://peer.example/#a',
  'ftp://peer.example',
  'file:///etc/passwd',
  'peer',
  '',
])('%j is no address of a receiver', (text) => {
  expect(() => parseTaskUrl(text)).toThrow(expect.objectContaining({ code: 'url_malformed' }))
})

test.each([
  ['127.0.0.1', true],
  ['::1', true],
  ['localhost', true],
  ['0.0.0.0', false],
  ['::', false],
  ['192.168.0.1', false],
])('%s is this machine alone: %s', (host, is) => {
  expect(isLoopback(host)).toBe(is)
})
