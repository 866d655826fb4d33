import { describe, expect, test } from 'vitest'
import { checkHead } from '../../src/index.js'

const unknown = { ok: false, code: 'ledger_head_unknown' }
const chain = (...heads: readonly string[]) => ({ heads, keyset_digest: 'ours' })
const carried = (head: string, keyset_digest = 'ours') => ({ head, keyset_digest })

describe('a carried head', () => {
  test('that is the last one continues the chain', () => {
    expect(checkHead(chain('a', 'b'), carried('b'))).toEqual({ ok: true, chain: 'continues' })
  })
  test('that the chain has grown beyond continues it', () => {
    expect(checkHead(chain('a', 'b', 'c'), carried('a'))).toEqual({ ok: true, chain: 'continues' })
  })
  test('of another keyset that the chain began with continues it', () => {
    expect(checkHead(chain('a', 'b'), carried('a', 'theirs'))).toEqual({ ok: true, chain: 'continues' })
  })
  test('of another keyset starts a chain from its figures', () => {
    expect(checkHead(chain(), carried('x', 'theirs'))).toEqual({ ok: true, chain: 'imports' })
  })
  test('of this keyset that the relay no longer has shows a rolled-back relay', () => {
    expect(checkHead(chain(), carried('a'))).toEqual(unknown)
    expect(checkHead(chain('a'), carried('b'))).toEqual(unknown)
  })
  test('of another keyset beside a chain of ours is refused: it would start the budget again', () => {
    expect(checkHead(chain('a'), carried('x', 'theirs'))).toEqual(unknown)
  })
})

describe('a signed none', () => {
  test('starts a chain', () => {
    expect(checkHead(chain(), null)).toEqual({ ok: true, chain: 'starts' })
  })
  test('does not start the budget again where there is a chain', () => {
    expect(checkHead(chain('a'), null)).toEqual({ ok: true, chain: 'continues' })
  })
})
