import type { DerivedKeyRequest } from '@parley/attestation'
import { describe, expect, it } from 'vitest'
import { createSimulatedProcessor, type ProcessorOptions } from '../../src/processor/index.js'

const now = Date.UTC(2026, 0, 15)
const measurement = new Uint8Array(48).fill(0x4d)
const chipSecret = new Uint8Array(32).fill(1)
const tcb = Uint8Array.of(4, 0, 0, 0, 0, 0, 24, 219)

const wanted: DerivedKeyRequest = {
  root: 'vcek',
  fields: ['measurement', 'guest_policy', 'tcb_version'],
  vmpl: 0,
  guestSvn: 0,
  tcbVersion: tcb,
}

const keyOf = async (
  guest: Partial<ProcessorOptions> = {},
  request: Partial<DerivedKeyRequest> = {},
): Promise<string> => {
  const { collector } = await createSimulatedProcessor({
    product: 'Milan',
    now,
    measurement,
    chipSecret,
    ...guest,
  })
  const key = await collector.deriveKey?.({ ...wanted, ...request })
  return Buffer.from(key ?? []).toString('hex')
}

describe('a key that the simulated processor derives', () => {
  it('is the same for the same guest on the same chip, in whatever order the fields are named', async () => {
    const key = await keyOf()
    expect(key).toHaveLength(64)
    expect(await keyOf({}, { fields: ['tcb_version', 'measurement', 'guest_policy'] })).toBe(key)
  })

  it.each<[string, Partial<ProcessorOptions>, Partial<DerivedKeyRequest>]>([
    ['chip', { chipSecret: new Uint8Array(32) }, {}],
    ['measurement', { measurement: new Uint8Array(48) }, {}],
    ['policy', { guestPolicy: 0xb0000n }, {}],
    ['platform', { tcb: Uint8Array.of(4, 0, 0, 0, 0, 0, 25, 219) }, {}],
    ['TCB in the request', {}, { tcbVersion: Uint8Array.of(3, 0, 0, 0, 0, 0, 24, 219) }],
    ['level', {}, { vmpl: 1 }],
    ['root', {}, { root: 'vmrk' }],
    ['selection', {}, { fields: ['measurement', 'guest_policy'] }],
  ])('is another for another %s', async (_, guest, request) => {
    expect(await keyOf(guest, request)).not.toBe(await keyOf())
  })

  it('does not depend on a field that is not selected', async () => {
    const fields = ['guest_policy'] as const
    expect(await keyOf({ measurement: new Uint8Array(48) }, { fields })).toBe(await keyOf({}, { fields }))
  })

  it.each<[string, Partial<DerivedKeyRequest>, string]>([
    [
      'a TCB over the committed one',
      { tcbVersion: Uint8Array.of(5, 0, 0, 0, 0, 0, 24, 0) },
      'firmware_refused',
    ],
    ['an SVN over the guest’s', { guestSvn: 1 }, 'firmware_refused'],
    ['a TCB of seven bytes', { tcbVersion: new Uint8Array(7) }, 'argument_invalid'],
  ])('is refused for %s', async (_, request, code) => {
    await expect(keyOf({}, request)).rejects.toMatchObject({ code })
  })
})
