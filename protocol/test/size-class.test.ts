import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodeRequest, encodeResponse } from '../src/bhttp.js'
import { generateGatewayKey, openRequest, startRequest } from '../src/ohttp.js'
import { responseNonceBytes } from '../src/ohttp-response.js'
import { paddedRequestLength, paddedResponseLength, SIZE_CLASSES, sizeClass } from '../src/size-class.js'
import { codeOf } from './code-of.js'

const gateway = generateGatewayKey(1)

describe('size classes', () => {
  it('are 4, 16, 64, 256 KiB, 1 and 2 MiB', () => {
    expect(SIZE_CLASSES).toEqual([4096, 16384, 65536, 262144, 1048576, 2097152])
  })

  it.each([
    [0, 4096],
    [4096, 4096],
    [4097, 16384],
    [2097152, 2097152],
  ])('%i bytes go into %i', (bytes, size) => {
    expect(sizeClass(bytes)).toBe(size)
  })

  it.each([2097153, Infinity, NaN])('%d bytes are refused as too_large', (bytes) => {
    expect(codeOf(() => sizeClass(bytes))).toBe('too_large')
  })

  it.each([0x0001, 0x0003] as const)(
    'encapsulated messages with AEAD %i have exactly a size class',
    (aead) => {
      const sizes = fc.oneof(fc.nat(5000), fc.constantFrom(4000, 4026, 4027, 16300, 65400, 100_000))
      fc.assert(
        fc.property(sizes, sizes, (asked, answered) => {
          const client = startRequest(gateway.config, { aead })
          const question = {
            method: 'GET',
            scheme: 'https',
            authority: '',
            path: '/',
            headers: [],
            content: new Uint8Array(asked),
          }
          const message = client.seal(encodeRequest(question, paddedRequestLength))
          const padTo = paddedResponseLength(responseNonceBytes(aead))
          const answer = encodeResponse(
            { status: 200, headers: [], content: new Uint8Array(answered) },
            padTo,
          )
          const reply = openRequest(gateway, message).sealResponse(answer)
          expect(SIZE_CLASSES).toContain(message.length)
          expect(SIZE_CLASSES).toContain(reply.length)
          expect(message.length).toBeGreaterThanOrEqual(sizeClass(asked))
          expect(reply.length).toBeGreaterThanOrEqual(sizeClass(answered))
        }),
        { numRuns: 30 },
      )
    },
  )

  it('a prescribed class is a least one', () => {
    expect(paddedResponseLength(16, 65536)(10)).toBe(65536 - 32)
    expect(paddedResponseLength(32, 4096)(5000)).toBe(16384 - 48)
  })

  it('what does not fit into the largest class is refused as too_large', () => {
    expect(paddedRequestLength(2097152 - 55)).toBe(2097152 - 55)
    expect(codeOf(() => paddedRequestLength(2097152 - 54))).toBe('too_large')
    expect(codeOf(() => paddedResponseLength(16)(2097152 - 31))).toBe('too_large')
  })
})
