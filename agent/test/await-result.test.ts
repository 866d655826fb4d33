import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { LedgerWallet } from '../src/index.js'
import { consentBoth, startStage } from './double/stage.js'
import { BUYER, SELLER } from './double/terms.js'

const ONCE = { waitMs: 0, hardwareWaitMs: 0, openInput: false }

describe('a result', () => {
  test('that is not there in time is result_timeout, and only GETs were sent', async () => {
    const stage = await startStage()
    const { bought } = await consentBoth(stage)
    await stage.buyer.submit(bought, BUYER, 0)
    const before = stage.relay.inner.length
    await expect(stage.buyer.result(bought, { ...ONCE, waitMs: 1000 })).rejects.toMatchObject({
      code: 'result_timeout',
    })
    expect(stage.relay.inner.slice(before).every(({ method }) => method === 'GET')).toBe(true)
  })

  test.each([
    [0, 'pending'],
    [400, 'pending'],
    [60_000, 'present'],
  ])('waits %i ms for its hardware path, which is %s then', async (hardwareWaitMs, status) => {
    const stage = await startStage({ hardwareAfter: 5 })
    const { bought, sold } = await consentBoth(stage)
    await stage.buyer.submit(bought, BUYER, 0)
    await stage.seller.submit(sold, SELLER, 0)
    const bundle = await stage.buyer.result(bought, { ...ONCE, hardwareWaitMs })
    expect(bundle.hardware_path.status).toBe(status)
  })

  test('that is refused leaves the ledger head as the offer left it', async () => {
    const stage = await startStage({
      bundle: (bundle) => ({ ...bundle, openings: { ...bundle.openings, ledger: [] } }),
    })
    const { bought, sold } = await consentBoth(stage)
    await stage.buyer.submit(bought, BUYER, 0)
    await stage.seller.submit(sold, SELLER, 0)
    await expect(stage.buyer.result(bought, ONCE)).rejects.toMatchObject({ code: 'ledger_mismatch' })
    const held = await new LedgerWallet(join(stage.buyer.folder, 'ledger')).held('software', 'price')
    expect(held).toEqual(bought.file.record.ledger_entry)
  })

  test('opens an input only to whoever has one', async () => {
    const stage = await startStage()
    const { bought, sold } = await consentBoth(stage)
    await stage.buyer.submit(bought, BUYER, 0)
    await stage.seller.submit(sold, SELLER, 0)
    await bought.file.update(() => ({ input: { input: BUYER, salt: 'A'.repeat(43) } }))
    await expect(stage.buyer.result(bought, { ...ONCE, openInput: true })).rejects.toMatchObject({
      code: 'result_mismatch',
    })
    const bundle = await stage.seller.result(sold, { ...ONCE, openInput: true })
    expect(bundle.openings.inputs).toMatchObject([{ role: 'responder', input: SELLER }])
  })
})
