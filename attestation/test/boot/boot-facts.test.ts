import { createHash } from 'node:crypto'
import { bootOfImage, type LoggedEvent } from '@parley/scripts'
import { describe, expect, it } from 'vitest'
import { failures, IMAGE, judge, machine, policyWith } from './kit.js'

const APPLICATION = 0x80000003
const ACTION = 0x80000007
const VARIABLE = 0x80000001
const SEPARATOR = 4
const IPL = 0xd
const text = (content: string): Uint8Array => Buffer.from(content, 'ascii')
const sha256 = (content: string): Uint8Array => createHash('sha256').update(content).digest()
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

const honest = bootOfImage(IMAGE)
const boot = async (
  events: readonly LoggedEvent[],
  changes: object = {},
): Promise<Record<string, string>> => {
  const { expected, ...rest } = await machine(events)
  return failures(await judge({ ...rest, expected: { ...expected, policy: policyWith(changes) } }))
}

const EVIL = sha256('the image of an intruder')
const evil: LoggedEvent = { pcr: 4, type: APPLICATION, data: text('a device path'), digest: EVIL }
const at = honest.findIndex(({ type }) => type === APPLICATION)
const inserted = (event: LoggedEvent): readonly LoggedEvent[] => [
  ...honest.slice(0, at),
  event,
  ...honest.slice(at),
]
const replaced = (
  is: (event: LoggedEvent) => boolean,
  change: Partial<LoggedEvent>,
): readonly LoggedEvent[] => honest.map((event) => (is(event) ? { ...event, ...change } : event))

describe('what was booted', () => {
  it('is the image, and under Secure Boot nothing else', async () => {
    const { facts } = await judge(await machine())
    expect(facts?.applications.map(hex)).toEqual([hex(IMAGE.uki)])
    expect([...(facts?.sections.keys() ?? [])]).toEqual(['.linux', '.cmdline', '.initrd'])
    expect(facts?.commandLines.map(hex)).toEqual([hex(sha256(IMAGE.commandLine))])
  })

  it('is the image and the kernel in it where Secure Boot is off, which the policy must leave open', async () => {
    const events = bootOfImage({ ...IMAGE, secureBoot: false })
    expect(await boot(events, { secure_boot: { any: 'own image, known by its hash' } })).toEqual({})
    expect(await boot(events)).toEqual({ boot_secure_boot: 'secure_boot_off' })
    const without = { secure_boot: { any: 'own image' }, inner_kernels: [] }
    expect(await boot(events, without)).toEqual({ boot_uki: 'uki_mismatch' })
  })

  it('is refused as uki_mismatch where another image was started: alone, before, or after', async () => {
    const alone = replaced(({ type }) => type === APPLICATION, { digest: EVIL })
    for (const events of [alone, inserted(evil), [...honest, evil]])
      expect(await boot(events)).toEqual({ boot_uki: 'uki_mismatch' })
  })

  it('is refused as uki_mismatch where nothing was started', async () => {
    expect(await boot(honest.filter(({ type }) => type !== APPLICATION))).toEqual({
      boot_uki: 'uki_mismatch',
    })
  })

  it('is refused where another image is passed off as an action, a separator, or an event without a meaning', async () => {
    for (const disguise of [
      { ...evil, type: ACTION, data: text('Calling EFI Application from Boot Option') },
      { ...evil, type: SEPARATOR, data: new Uint8Array(4) },
      { ...evil, type: IPL },
    ])
      expect(await boot(inserted(disguise))).toEqual({ boot_events: 'boot_event_refused' })
  })

  it('is refused where it is passed off as one that only the log tells of', async () => {
    // EV_NO_ACTION is not extended: the registers then are others than the quoted ones.
    const { evidence } = await machine(inserted({ ...evil, type: 3 }))
    const { eventLog } = evidence
    expect(failures(await judge(await machine(inserted(evil)), { eventLog }))).toEqual({
      boot_log: 'event_log_mismatch',
    })
  })

  it.each([
    ['an action that is none of booting', { pcr: 4, type: ACTION, data: text('Booting to a shell') }],
    [
      'a separator that says that firmware met an error',
      { pcr: 4, type: SEPARATOR, data: Uint8Array.of(1, 0, 0, 0) },
    ],
    ['a debugger', { pcr: 7, type: ACTION, data: text('UEFI Debug Mode') }],
    ['a system extension', { pcr: 13, type: IPL, data: text('a system extension') }],
  ])('is refused with %s: boot_event_refused', async (_, event) => {
    expect(await boot(inserted(event))).toEqual({ boot_events: 'boot_event_refused' })
  })
})

describe('Secure Boot', () => {
  const isState = ({ pcr, type }: LoggedEvent): boolean => pcr === 7 && type === VARIABLE
  const state = honest.find(isState)
  const on: LoggedEvent = { pcr: 7, type: VARIABLE, data: state?.data ?? new Uint8Array() }
  const off = bootOfImage({ ...IMAGE, secureBoot: false })

  it('that was off and that a running system adds to PCR 7 as on is refused as boot_event_refused', async () => {
    expect(await boot([...off, on])).toEqual({ boot_events: 'boot_event_refused' })
  })

  it('that was off and is told as on is refused: the digest is not of what the log says', async () => {
    const [first] = off.filter(isState)
    const digest = createHash('sha256')
      .update(first?.data ?? '')
      .digest()
    const told = off.map((event) => (event === first ? { ...event, data: on.data, digest } : event))
    expect(await boot(told)).toEqual({ boot_events: 'boot_event_refused' })
  })

  it('that is measured later than something else, or not at all, is refused as boot_event_refused', async () => {
    const others = honest.filter(({ data }) => data !== state?.data)
    expect(await boot(others)).toEqual({ boot_events: 'boot_event_refused' })
    expect(await boot([...others, on])).toEqual({ boot_events: 'boot_event_refused' })
  })
})

describe('the command line', () => {
  it('of another image is refused as command_line_mismatch', async () => {
    expect(await boot(bootOfImage({ ...IMAGE, commandLine: 'init=/bin/sh' }))).toEqual({
      boot_command_line: 'command_line_mismatch',
    })
  })

  it('that stands in for that of the image is refused as command_line_mismatch', async () => {
    const added: LoggedEvent = { pcr: 12, type: IPL, data: Buffer.from('init=/bin/sh\0', 'utf16le') }
    expect(await boot(inserted(added))).toEqual({ boot_command_line: 'command_line_mismatch' })
  })

  it('that stands in is taken where the policy names it, too', async () => {
    const data = Buffer.from('debug\0', 'utf16le')
    const digest = createHash('sha256').update(data).digest()
    const one_of = [hex(sha256(IMAGE.commandLine)), hex(digest)]
    expect(await boot(inserted({ pcr: 12, type: IPL, data }), { command_line: { one_of } })).toEqual({})
  })

  it('must be measured: without any, command_line_mismatch', async () => {
    const events = honest.filter(({ pcr }) => pcr !== 11)
    expect(await boot(events)).toEqual({ boot_command_line: 'command_line_mismatch' })
  })

  it.each([
    ['a section twice', (events: readonly LoggedEvent[]) => [...events, ...events.slice(0, 2)]],
    ['half a section', (events: readonly LoggedEvent[]) => events.slice(0, -1)],
    ['a section without a name', (events: readonly LoggedEvent[]) => events.slice(1)],
    [
      'something that a running system added',
      (events: readonly LoggedEvent[]) => [...events, { pcr: 11, type: IPL, data: text('enter-initrd') }],
    ],
  ])('is refused with %s: boot_event_refused', async (_, change) => {
    const others = honest.filter(({ pcr }) => pcr !== 11)
    const sections = honest.filter(({ pcr }) => pcr === 11)
    expect(await boot([...others, ...change(sections)])).toEqual({ boot_events: 'boot_event_refused' })
  })
})
