import { expect, test } from 'vitest'
import { parseConfig } from '../src/config.js'
import { DEFAULT_LIMITS } from '../src/limits.js'

const GOOD = {
  listen: { host: '127.0.0.1', port: 8080 },
  control: { host: '127.0.0.1', port: 8081 },
  log: null,
  limits: { burst: 5 },
}

test('a limit that is left out has its default', () => {
  expect(parseConfig(JSON.stringify(GOOD))).toEqual({
    ...GOOD,
    egress: [],
    limits: { ...DEFAULT_LIMITS, burst: 5 },
  })
})

test.each([
  ['an unknown member', { ...GOOD, extra: 1 }, /extra/],
  ['no log member', { ...GOOD, log: undefined }, /log/],
  ['an empty log path', { ...GOOD, log: '' }, /log/],
  ['a missing port', { ...GOOD, listen: { host: 'a' } }, /port/],
  ['a port too high', { ...GOOD, listen: { host: 'a', port: 65_536 } }, /listen.port/],
  ['an empty host', { ...GOOD, control: { host: '', port: 1 } }, /control.host/],
  ['an unknown limit', { ...GOOD, limits: { bursts: 1 } }, /bursts/],
  ['a limit of nothing', { ...GOOD, limits: { burst: 0 } }, /burst/],
  ['a limit as text', { ...GOOD, limits: { burst: '5' } }, /burst/],
  [
    'limits in disorder',
    { ...GOOD, limits: { headers_timeout_ms: 9, request_timeout_ms: 8 } },
    /headers_timeout_ms/,
  ],
  ['egress that is no list', { ...GOOD, egress: {} }, /egress/],
  ['egress that is null', { ...GOOD, egress: null }, /egress/],
  ['an array', [], /object/],
])('a configuration with %s is refused', (_, config, message) => {
  expect(() => parseConfig(JSON.stringify(config))).toThrow(message)
})

test('a configuration that is not JSON is refused without repeating it', () => {
  expect(() => parseConfig('secret')).toThrow(/^config is not JSON$/)
})
