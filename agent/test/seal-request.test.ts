import {
  COVERED_COMPONENTS,
  fieldValues,
  openRequest,
  parseDid,
  parseRequest,
  sha256,
  SIZE_CLASSES,
  toHex,
  verifyRequest,
} from '@parley/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { attestRelay, type Author, generateIdentity, type InnerRequest, sealRequest } from '../src/index.js'
import { makeKeys, NOW_SECONDS, policyFor } from './double/keys.js'
import { startRelay } from './double/relay.js'
import { testClock } from './double/stage.js'

const keys = makeKeys()
const identity = generateIdentity()
const author: Author = {
  identity,
  role: 'responder',
  sessionId: 'aa'.repeat(32),
  offerDigest: null,
  seq: 41,
  nowSeconds: NOW_SECONDS,
}

const keyset = async () => {
  const { url } = await startRelay(keys)
  return (await attestRelay({ url, trust: { policy: policyFor(keys), roots: [] }, clock: testClock() }))
    .keyset
}

const post: InnerRequest = {
  method: 'POST',
  path: '/v1/sessions/x/input',
  body: { input: 'CANARY', salt: 's' },
}

describe('a sealed request', () => {
  test('opens at the gateway as what was asked, signed by its author over exactly the listed components', async () => {
    const { message, encapsulation } = sealRequest(await keyset(), post, author)
    const { bhttp, enc } = openRequest(keys.gateway, message)
    const request = parseRequest(bhttp)
    const lookup = (did: string) => parseDid(did).publicKey
    const signer = verifyRequest(request, { tag: 'parley-v1', components: COVERED_COMPONENTS, lookup })
    expect(signer).toEqual({ keyId: identity.did, created: NOW_SECONDS })
    expect(request).toMatchObject({ method: 'POST', scheme: 'https', authority: 'relay', path: post.path })
    expect(new TextDecoder().decode(request.content)).toBe('{"input":"CANARY","salt":"s"}')
    const field = (name: string) => fieldValues(request.headers, name)
    expect(field('parley-enc')).toEqual([toHex(sha256(enc))])
    expect(field('parley-session')).toEqual([author.sessionId])
    expect(field('parley-role')).toEqual(['responder'])
    expect(field('parley-seq')).toEqual(['41'])
    expect(field('parley-offer')).toEqual(['none'])
    expect(field('date')).toEqual([new Date(NOW_SECONDS * 1000).toUTCString()])
    expect(encapsulation).toBe(toHex(sha256(message)))
  })

  test('shows nothing of its content, and another encapsulation each time', async () => {
    const attested = await keyset()
    const [one, two] = [sealRequest(attested, post, author), sealRequest(attested, post, author)]
    expect(Buffer.from(one.message).includes('CANARY')).toBe(false)
    expect(one.encapsulation).not.toBe(two.encapsulation)
  })

  test('asks for a wait in a GET, and for none where it is zero', async () => {
    const attested = await keyset()
    const prefer = (waitSeconds: number) => {
      const { message } = sealRequest(attested, { method: 'GET', path: '/a', waitSeconds }, author)
      return fieldValues(parseRequest(openRequest(keys.gateway, message).bhttp).headers, 'prefer')
    }
    expect(prefer(30)).toEqual(['wait=30'])
    expect(prefer(0)).toEqual([])
  })

  test('has the size of its class, whatever is in it', async () => {
    const attested = await keyset()
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 70_000 }), (size) => {
        const body = { input: 'x'.repeat(size) }
        const { message } = sealRequest(attested, { method: 'POST', path: '/a', body }, author)
        expect(SIZE_CLASSES).toContain(message.length)
      }),
      { numRuns: 20 },
    )
  })

  test('over the largest class is refused as too_large', async () => {
    const body = { input: 'x'.repeat(2 * 1024 * 1024) }
    const attested = await keyset()
    expect(() => sealRequest(attested, { method: 'POST', path: '/a', body }, author)).toThrow(
      expect.objectContaining({ code: 'too_large' }),
    )
  })

  test.each([keys.keyset.not_before - 1, keys.keyset.not_after + 1])(
    'is not made at %i, outside the dates',
    async (at) => {
      const attested = await keyset()
      expect(() => sealRequest(attested, post, { ...author, nowSeconds: at })).toThrow(
        expect.objectContaining({ code: 'keyset_expired' }),
      )
    },
  )
})
