import { expect, test } from 'vitest'
import { loggedId } from '../../src/index.js'

test.each(['task_0001', 'peer-a', 'A.b:c@d', '3b1f8a52-7c1e-4c1d-9c51-0d6a6d0f7a11', '1748390400'])(
  'A2A-44: the log holds the id %s',
  (id) => {
    expect(loggedId(id)).toBe(id)
  },
)

test.each([
  '',
  'my prompt is',
  'a\nb',
  'Gr\u00f6\u00dfe',
  'x'.repeat(129),
  '49170123456789',
  '/etc/passwd',
  '<b>',
])('A2A-44: the log does not hold %j', (id) => {
  expect(loggedId(id)).toBe('redacted')
})
