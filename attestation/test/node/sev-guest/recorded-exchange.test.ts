import { expect, test } from 'vitest'
import { sevGuestCollector } from '../../../src/node/sev-guest/sev-guest-collector.js'
import type { Answer, Exchange, SevGuestDevice } from '../../../src/node/index.js'
import { NOTHING_AT_HAND } from '../../../src/node/read-collateral.js'
import { genuineInput } from '../../evidence-folder.js'
import { REPORT_DATA } from '../../policies.js'
import { tableOf } from '../table-of.js'

type Step = { readonly asked: string; readonly sizes: readonly [number, number]; readonly answer: Answer }

const { report, certificates } = genuineInput('milan-v3-vcek')
const DATA = Buffer.from(REPORT_DATA).toString('hex')

const bytes = (...parts: readonly (string | Uint8Array)[]): Uint8Array =>
  new Uint8Array(
    Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'hex') : part))),
  )

const padded = (size: number, ...parts: readonly (string | Uint8Array)[]): Uint8Array => {
  const whole = new Uint8Array(size)
  whole.set(bytes(...parts))
  return whole
}

// struct snp_ext_report_req: user_data, vmpl, rsvd, certs_address, certs_len, padding.
const extended = (certsLen: string): string =>
  DATA + '02000000' + '00'.repeat(28) + '00'.repeat(8) + certsLen + '00000000'

// The bytes of each request and answer as the driver's header and AMD's tables lay them out; no chip made them.
const RECORDED: readonly Step[] = [
  {
    asked: `c0205302 ${extended('00400000')}`,
    sizes: [4000, 0x4000],
    answer: {
      errno: 'EIO',
      exitInfo2: 0x0000_0001_0000_0000n,
      request: bytes(extended('00500000')),
      response: new Uint8Array(4000),
      certificates: new Uint8Array(0x4000),
    },
  },
  {
    asked: `c0205302 ${extended('00500000')}`,
    sizes: [4000, 0x5000],
    answer: {
      errno: null,
      exitInfo2: 0n,
      request: bytes(extended('00500000')),
      response: padded(4000, '00000000', 'a0040000', '00'.repeat(24), report),
      certificates: padded(0x5000, tableOf(certificates)),
    },
  },
]

const replay = (steps: readonly Step[]): SevGuestDevice & { left: Step[] } => {
  const left = [...steps]
  return {
    left,
    close: () => Promise.resolve(),
    exchange: ({ command, request, responseBytes, certificateBytes }: Exchange) => {
      const step = left.shift()
      if (step === undefined) throw new Error('nothing more was recorded')
      expect(`${command.toString(16)} ${Buffer.from(request).toString('hex')}`).toBe(step.asked)
      expect([responseBytes, certificateBytes]).toEqual(step.sizes)
      return Promise.resolve(step.answer)
    },
  }
}

test('a recorded exchange is asked for byte for byte, and read', async () => {
  const device = replay(RECORDED)
  const open = () => Promise.resolve(device)
  const options = { path: '/dev/sev-guest', privilegeLevel: 2, hostCertificates: true, open }
  const collected = await (await sevGuestCollector(options, NOTHING_AT_HAND)).collect(REPORT_DATA)
  expect(collected.report).toEqual(report)
  expect(collected.table).toHaveLength(3)
  expect(device.left).toEqual([])
})
