import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isJsonObject } from '@parley/protocol'
import { describe, expect, test } from 'vitest'
import { SESSION_ID } from './double/session.js'
import { consentBoth, seatBoth, startStage } from './double/stage.js'
import { BUYER, SELLER } from './double/terms.js'

const saltsOf = (bodies: readonly unknown[]): unknown[] =>
  bodies.map((body) => (isJsonObject(body as never) ? (body as { salt: string }).salt : undefined))

describe('an input', () => {
  test('is on the disk with its number, salt and encapsulation before the relay has it', async () => {
    const stage = await startStage()
    const { bought } = await consentBoth(stage)
    const onDisk: unknown[] = []
    stage.relay.tampering.onInner = async ({ seq, encapsulation }) => {
      const path = join(stage.buyer.folder, 'sessions', `${SESSION_ID}.json`)
      onDisk.push({ seq, encapsulation, record: JSON.parse(await readFile(path, 'utf8')) as unknown })
    }
    await stage.buyer.submit(bought, BUYER, 0)
    const [sent] = onDisk as { seq: number; encapsulation: string; record: object }[]
    expect(sent?.record).toMatchObject({
      encapsulations: [sent?.encapsulation],
      input: { input: BUYER },
      input_accepted: false,
    })
    // The record says of this number, and of some after it, that they may have been sent.
    expect(sent?.record).toHaveProperty(
      'seq',
      expect.toSatisfy((seq: number) => seq >= (sent?.seq ?? Infinity)),
    )
    expect(bought.file.record.input_accepted).toBe(true)
  })

  test('has a salt of its own in each session and for each side', async () => {
    const stage = await startStage()
    const { bought, sold } = await consentBoth(stage)
    await stage.buyer.submit(bought, BUYER, 0)
    await stage.seller.submit(sold, SELLER, 0)
    const inputs = stage.relay.inner.filter(({ path }) => path.endsWith('/input')).map(({ body }) => body)
    expect(new Set(saltsOf(inputs)).size).toBe(2)
  })

  test('is one, though two processes submit at once', async () => {
    const stage = await startStage()
    const { bought } = await consentBoth(stage)
    const again = await stage.buyer.resume(bought.file.record.session_id)
    const other = { ...BUYER, ceiling: 1 }
    const ends = await Promise.allSettled([
      stage.buyer.submit(bought, BUYER, 0),
      stage.buyer.submit(again, other, 0),
    ])
    const refused = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []))
    expect(refused).toEqual([expect.objectContaining({ code: 'input_conflict' })])
    expect(stage.relay.inner.filter(({ path }) => path.endsWith('/input'))).toHaveLength(1)
  })

  test('waits for the other side’s consent, in requests of its own that the relay had refused', async () => {
    const stage = await startStage()
    const { bought, sold } = await seatBoth(stage)
    await stage.buyer.consent(bought, await stage.buyer.offer(bought, 0))
    const offer = await stage.seller.offer(sold, 0)
    let refused = 0
    stage.relay.tampering.onInner = async ({ path, role }) => {
      if (!path.endsWith('/input') || role !== 'initiator' || ++refused < 3) return
      stage.relay.tampering.onInner = () => undefined
      await stage.seller.consent(sold, offer)
    }
    await stage.buyer.submit(bought, BUYER, 60_000)
    const sent = stage.relay.inner.filter(({ path }) => path.endsWith('/input'))
    expect(sent).toHaveLength(3)
    expect(new Set(saltsOf(sent.map(({ body }) => body))).size).toBe(1)
    expect(bought.file.record.encapsulations).toEqual([sent.at(-1)?.encapsulation])
  })

  test('that waits too long for a consent is consent_timeout, and leaves nothing sent', async () => {
    const stage = await startStage()
    const { bought } = await seatBoth(stage)
    await stage.buyer.consent(bought, await stage.buyer.offer(bought, 0))
    await expect(stage.buyer.submit(bought, BUYER, 0)).rejects.toMatchObject({ code: 'consent_timeout' })
    expect(bought.file.record).toMatchObject({ encapsulations: [], input_accepted: false })
  })

  test('whose fate is unknown is not repeated, and stays the one of the session', async () => {
    const stage = await startStage()
    const { bought } = await consentBoth(stage)
    stage.relay.tampering.outer = (path, outgoing) => path === '/ohttp' && Boolean(outgoing.destroy())
    const before = stage.relay.outer.length
    await expect(stage.buyer.submit(bought, BUYER, 60_000)).rejects.toMatchObject({
      code: 'relay_unreachable',
    })
    expect(stage.relay.outer).toHaveLength(before + 1)
    expect(bought.file.record.encapsulations).toHaveLength(1)
    const other = { ...BUYER, ceiling: 1 }
    await expect(stage.buyer.submit(bought, other, 0)).rejects.toMatchObject({ code: 'input_conflict' })
    delete stage.relay.tampering.outer
    await stage.buyer.submit(bought, BUYER, 0)
    expect(bought.file.record.encapsulations).toHaveLength(2)
  })

  test('that the relay refused for sure may be replaced', async () => {
    const stage = await startStage()
    const { bought } = await consentBoth(stage)
    stage.relay.tampering.refuse = ({ path }) => (path.endsWith('/input') ? 'input_refused' : undefined)
    await expect(stage.buyer.submit(bought, { ceiling: 'CANARY' }, 0)).rejects.toMatchObject({
      code: 'input_refused',
    })
    delete stage.relay.tampering.refuse
    await stage.buyer.submit(bought, BUYER, 0)
    expect(bought.file.record.input?.input).toEqual(BUYER)
  })

  test('that the relay commits to differently is result_mismatch', async () => {
    const stage = await startStage({ commitment: '00'.repeat(32) })
    const { bought } = await consentBoth(stage)
    await expect(stage.buyer.submit(bought, BUYER, 0)).rejects.toMatchObject({ code: 'result_mismatch' })
    expect(bought.file.record.input_accepted).toBe(false)
  })

  test('is in no message of an error', async () => {
    const stage = await startStage()
    const { bought } = await consentBoth(stage)
    const secret = { ceiling: 'CANARY', currency: 'CANARY' }
    const messages: string[] = []
    for (const code of ['input_refused', 'relay_failed', 'state_conflict'] as const) {
      stage.relay.tampering.refuse = () => code
      await stage.buyer.submit(bought, secret, 0).catch((error: unknown) => messages.push(String(error)))
    }
    stage.relay.tampering.outer = (_, outgoing) => Boolean(outgoing.destroy())
    await stage.buyer.submit(bought, secret, 0).catch((error: unknown) => messages.push(String(error)))
    await stage.buyer.submit(bought, BUYER, 0).catch((error: unknown) => messages.push(String(error)))
    expect(messages).toHaveLength(5)
    expect(messages.join()).not.toMatch(/CANARY|1200000/)
  })
})
