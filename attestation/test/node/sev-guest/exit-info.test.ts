import { describe, expect, it } from 'vitest'
import { failureOf, parseExitInfo, succeeded } from '../../../src/node/sev-guest/exit-info.js'
import { codeOf } from '../../evidence-folder.js'

const vmm = (error: number): bigint => BigInt(error) << 32n
const none = new Uint8Array()
const answer = (errno: string | null, exitInfo2: bigint) => ({
  errno,
  exitInfo2,
  request: none,
  response: none,
  certificates: none,
})

describe('EXITINFO2', () => {
  it('has the error of the hypervisor above that of the firmware', () => {
    expect(parseExitInfo(0x0000_0002_0000_001dn)).toEqual({ firmware: 0x1d, vmm: 2 })
  })

  it.each([0xffn, 0xffff_ffffn, 0xffff_ffff_ffff_ffffn])('of 0x%s is nobody’s: nobody was asked', (value) => {
    expect(parseExitInfo(value)).toEqual({ firmware: 0, vmm: 0 })
  })
})

describe('a failed request', () => {
  it.each([
    ['EIO', vmm(2), 'collector_busy'],
    ['EAGAIN', vmm(2), 'collector_busy'],
    // The driver gave up: its key is gone, and trying again is of no use.
    ['ETIMEDOUT', vmm(2), 'collector_timeout'],
    ['EIO', vmm(7), 'host_refused'],
    ['EIO', 0x1dn, 'firmware_refused'],
    ['EIO', vmm(7) | 0x1dn, 'host_refused'],
    ['EIO', 0xffn, 'collector_disabled'],
    ['ENOTTY', 0xffn, 'collector_disabled'],
    ['ENOTTY', vmm(2), 'collector_disabled'],
    ['EINVAL', 0xffn, 'collector_failed'],
    ['EFAULT', 0xffff_ffff_ffff_ffffn, 'collector_failed'],
    ['EBADMSG', 0n, 'collector_failed'],
    ['ENODEV', 0xffn, 'provider_missing'],
  ])('of %s with EXITINFO2 %s is %s', (errno, exitInfo2, code) => {
    expect(failureOf(errno, exitInfo2).code).toBe(code)
  })

  it('is one even where the call says success and EXITINFO2 does not', async () => {
    expect(await codeOf(() => succeeded(answer(null, 0x1dn)))).toBe('firmware_refused')
    expect(await codeOf(() => succeeded(answer(null, vmm(1))))).toBe('host_refused')
  })

  it('is none where both say success', () => {
    expect(succeeded(answer(null, 0n)).errno).toBeNull()
  })
})
