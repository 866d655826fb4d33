import {
  canonicalBytes,
  commitInput,
  type JsonValue,
  parseAccepted,
  parseBundle,
  parseContract,
} from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { CEILING, consentedPair, FLOOR, good, submittedPair } from './participant.js'
import { CONTRACT, testRelay } from './test-relay.js'

describe('an input', () => {
  it('is answered with its commitment, and the transcript names its encapsulation', async () => {
    const relay = testRelay()
    const { buyer, seller } = await consentedPair(relay, CONTRACT)
    const replies = [await buyer.input(CEILING), await seller.input(FLOOR)]
    const [first, second] = replies.map((reply) => parseAccepted(good(reply)))
    const opened = {
      session_id: buyer.session ?? '',
      role: 'initiator' as const,
      salt: buyer.salt,
      input: CEILING,
    }
    expect(first).toEqual({ state: 'PARTIAL', input_commitment: commitInput('software', opened) })
    expect(second?.state).toBe('PROCESSING')
    const { transcript } = parseBundle(await buyer.bundle())
    expect(transcript.participants.map(({ encapsulation }) => encapsulation)).toEqual(
      replies.map(({ encapsulation }) => encapsulation),
    )
  })

  it.each<[string, JsonValue, string]>([
    ['a member is missing', { ceiling: 1 }, 'member_missing /currency'],
    ['a member is unknown', { ...CEILING, secret: 'canary' }, 'member_unknown '],
    ['a number is out of range', { ceiling: -1, currency: 'EUR' }, 'integer_out_of_range /ceiling'],
    ['a number is no integer', { ceiling: 0.5, currency: 'EUR' }, 'type_mismatch /ceiling'],
    ['a code is not listed', { ceiling: 1, currency: 'canary' }, 'value_not_listed /currency'],
    ['it is the other role’s', FLOOR, 'member_unknown '],
    ['it is null', null, 'type_mismatch '],
  ])('is refused as input_refused where %s, and the session stays usable', async (_, input, detail) => {
    const relay = testRelay()
    const { buyer, seller } = await consentedPair(relay, CONTRACT)
    buyer.refused(await buyer.input(input), 'input_refused', detail)
    expect(JSON.stringify(relay.logged)).not.toContain('canary')
    good(await buyer.input(CEILING))
    good(await seller.input(FLOOR))
    await buyer.bundle()
  })

  it('a second time is refused as already_submitted, even the same', async () => {
    const relay = testRelay()
    const { buyer, seller } = await consentedPair(relay, CONTRACT)
    good(await buyer.input(CEILING))
    buyer.refused(await buyer.input(CEILING), 'already_submitted', null)
    buyer.refused(await buyer.input({ ceiling: 1, currency: 'EUR' }), 'already_submitted')
    good(await seller.input(FLOOR))
    buyer.refused(await buyer.input(CEILING), 'already_submitted')
    await buyer.bundle()
    buyer.refused(await buyer.input(CEILING), 'already_submitted')
  })

  it('of 50 parallel submissions counts once, and the session is evaluated once', async () => {
    const relay = testRelay()
    const { buyer, seller } = await consentedPair(relay, CONTRACT)
    const race = Array.from({ length: 50 }, (_, at) =>
      at % 2 === 0 ? buyer.input({ ceiling: 1_000_000 + at, currency: 'EUR' }) : seller.input(FLOOR),
    )
    const replies = await Promise.all(race)
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(2)
    replies.forEach((reply, at) => {
      if (reply.status !== 200) [buyer, seller][at % 2]?.refused(reply, 'already_submitted')
    })
    const { receipt } = parseBundle(await buyer.bundle())
    expect(parseBundle(await seller.bundle()).receipt).toEqual(receipt)
    const ended = relay.audit.events.filter(({ event }) => event === 'session.ended')
    expect(ended).toHaveLength(1)
    const opened = { session_id: receipt.session_id, role: 'initiator' as const, salt: buyer.salt }
    expect(receipt.participants[0]?.input_commitment).toBe(
      commitInput('software', { ...opened, input: { ceiling: 1_000_000, currency: 'EUR' } }),
    )
  })

  it('whose audit entry fails is refused as relay_failed, is not kept, and can be submitted again', async () => {
    const relay = testRelay()
    const { buyer, seller } = await consentedPair(relay, CONTRACT)
    relay.disk.failures = 1
    buyer.refused(await buyer.input({ ceiling: 1, currency: 'EUR' }), 'relay_failed', null)
    expect(parseAccepted(good(await buyer.input(CEILING))).state).toBe('PARTIAL')
    good(await seller.input(FLOOR))
    const bundle = parseBundle(await buyer.bundle())
    expect(bundle.openings.output?.output).toMatchObject({ overlap: 'MODERATE' })
  })

  const open = parseContract(
    Object.fromEntries(Object.entries(CONTRACT).filter(([name]) => name !== 'input_schemas')),
  )

  it('is refused over 64 KiB where the contract has no input schemas', async () => {
    const { buyer } = await consentedPair(testRelay(), open)
    const text = (bytes: number): string => 'x'.repeat(bytes - 2)
    buyer.refused(await buyer.input(text(65_537)), 'input_refused', 'input_too_large ')
    good(await buyer.input(text(65_536)))
  })

  it('is any JSON where the contract has no input schemas', async () => {
    const relay = testRelay()
    const { buyer } = await submittedPair(relay, open, [
      { ceiling: 1, currency: 'x' },
      { floor: 2, currency: 'x' },
    ])
    expect(parseBundle(await buyer.bundle()).openings.output?.output).toMatchObject({ overlap: 'NONE' })
  })
})

describe('the inputs that wait', () => {
  const bounded = async () => {
    const relay = testRelay({ limits: { open_input_bytes: canonicalBytes(CEILING).length } })
    const first = await consentedPair(relay, CONTRACT)
    const second = await consentedPair(relay, CONTRACT)
    return { relay, first, second }
  }

  it('are bounded together: one more is refused as relay_overloaded, and may be sent again', async () => {
    const { first, second } = await bounded()
    good(await first.buyer.input(CEILING))
    second.buyer.refused(await second.buyer.input(CEILING), 'relay_overloaded')
    good(await first.seller.cancel())
    good(await second.buyer.input(CEILING))
  })

  it('do not pass the bound by coming at once', async () => {
    const { first, second } = await bounded()
    const replies = await Promise.all([first.buyer.input(CEILING), second.buyer.input(CEILING)])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 503])
  })

  it('leave room again once they have been evaluated', async () => {
    const relay = testRelay({ limits: { open_input_bytes: 2 * canonicalBytes(CEILING).length } })
    const first = await submittedPair(relay, CONTRACT)
    const second = await consentedPair(relay, CONTRACT)
    second.buyer.refused(await second.buyer.input(CEILING), 'relay_overloaded')
    await first.buyer.bundle()
    good(await second.buyer.input(CEILING))
  })
})
