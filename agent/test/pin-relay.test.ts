import { describe, expect, test } from 'vitest'
import { attestRelay } from '../src/index.js'
import { pinRelay } from '../src/pin-relay.js'
import { evidenceOf, makeKeys } from './double/keys.js'
import { startRelay } from './double/relay.js'
import { testClock } from './double/stage.js'

describe('a pinned policy', () => {
  test('trusts the relay that it was made from, and no other', async () => {
    const [own, other] = [await startRelay(makeKeys()), await startRelay(makeKeys())]
    const trust = { policy: await pinRelay(own.url), roots: [] }
    const clock = testClock()
    expect((await attestRelay({ url: own.url, trust, clock })).url).toBe(own.url)
    await expect(attestRelay({ url: other.url, trust, clock })).rejects.toMatchObject({
      code: 'relay_not_trusted',
    })
  })

  test.each([
    ['a document made at boot', null],
    ['another nonce', 'A'.repeat(43)],
  ])('is refused over evidence with %s', async (_, nonce) => {
    const keys = makeKeys()
    const relay = await startRelay(keys, { evidence: () => evidenceOf(keys, nonce) })
    await expect(pinRelay(relay.url)).rejects.toMatchObject({ code: 'relay_not_trusted' })
  })

  test('is refused over evidence whose receipt key is another', async () => {
    const [keys, stranger] = [makeKeys(), makeKeys()]
    const relay = await startRelay(keys, {
      evidence: (nonce) => ({
        ...evidenceOf(keys, nonce),
        keyset: { ...keys.keyset, receipt_key: stranger.keyset.receipt_key },
      }),
    })
    await expect(pinRelay(relay.url)).rejects.toMatchObject({ code: 'signature_invalid' })
  })

  test('is refused where nobody answers', async () => {
    await expect(pinRelay('http://127.0.0.1:1')).rejects.toMatchObject({ code: 'relay_unreachable' })
  })
})
