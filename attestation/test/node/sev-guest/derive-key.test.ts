import { describe, expect, it } from 'vitest'
import { deriveKey, type DerivedKeyRequest } from '../../../src/node/index.js'
import { codeOf, genuineInput } from '../../evidence-folder.js'
import { DriverDouble, type DriverOptions } from './driver-double.js'

const { report } = genuineInput('milan-v3-vcek')
const KEY = new Uint8Array(32).fill(9)
const TCB = Uint8Array.of(4, 0, 0, 0, 0, 0, 24, 219)

const WANTED: DerivedKeyRequest = {
  root: 'vcek',
  fields: ['guest_policy', 'measurement', 'tcb_version'],
  vmpl: 1,
  guestSvn: 2,
  tcbVersion: TCB,
}

const driver = (options: Partial<DriverOptions> = {}): DriverDouble =>
  new DriverDouble({ report: () => report, key: () => KEY, ...options })

const derive = (double: DriverDouble, changes: Partial<DerivedKeyRequest> = {}) =>
  deriveKey({ ...WANTED, ...changes }, '/dev/sev-guest', double.open)

const hexOf = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString('hex')

describe('a derived key', () => {
  it('is what the firmware gives for the whole request: all eight bytes of the TCB, not its bootloader alone', async () => {
    const double = driver()
    expect(await derive(double)).toEqual(KEY)
    const [asked] = double.asked
    expect(hexOf(asked?.request)).toBe(
      '00000000' +
        '00000000' +
        '2900000000000000' +
        '01000000' +
        '02000000' +
        '04000000000018db' +
        '00'.repeat(8),
    )
    expect([asked?.command, asked?.responseBytes, asked?.certificateBytes]).toEqual([0xc0205301, 64, 0])
    expect(double.closed).toBe(double.opened)
  })

  it('may be of the other root, and depend on each field', async () => {
    const double = driver()
    await derive(double, { root: 'vmrk', fields: ['image_id', 'family_id', 'guest_svn'] })
    expect(hexOf(double.asked[0]?.request.slice(0, 16))).toBe('0100000000000000' + '1600000000000000')
  })

  it.each<[string, Partial<DerivedKeyRequest>]>([
    ['a VMPL of 4', { vmpl: 4 }],
    ['a VMPL of -1', { vmpl: -1 }],
    ['half a VMPL', { vmpl: 0.5 }],
    ['an SVN of 33 bits', { guestSvn: 2 ** 32 }],
    ['a TCB of 7 bytes', { tcbVersion: TCB.subarray(1) }],
  ])('for %s is not asked for', async (_, changes) => {
    const double = driver()
    expect(await codeOf(() => derive(double, changes))).toBe('argument_invalid')
    expect(double.opened).toBe(0)
  })

  it('of zeros is none', async () => {
    expect(await codeOf(() => derive(driver({ key: () => new Uint8Array(32) })))).toBe('collector_failed')
  })

  it('that the firmware refuses is none', async () => {
    expect(await codeOf(() => derive(driver({ status: 0x16 })))).toBe('firmware_refused')
    expect(await codeOf(() => derive(driver({ firmwareError: 0x16 })))).toBe('firmware_refused')
  })

  it('is gone with the key of the driver', async () => {
    const double = driver({ throttled: true })
    expect(await codeOf(() => derive(double))).toBe('collector_timeout')
    expect(await codeOf(() => derive(double))).toBe('collector_disabled')
    expect(double.closed).toBe(double.opened)
  })
})
