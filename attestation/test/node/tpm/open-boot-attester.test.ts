import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBootAttester, openTpmDevice, type TpmDevice } from '../../../src/node/index.js'
import { readRecorded, RECORDINGS } from '../../boot/recorded.js'

const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'))

/** Answers as the recorded TPM did, in its order, and to nothing else; `change` is what is said otherwise. */
const replay = (
  name: string,
  change: (command: string, response: string) => string = (_, response) => response,
): TpmDevice & { readonly closed: boolean } => {
  const left = [...readRecorded(name).exchanges]
  const state = { closed: false }
  return {
    get closed() {
      return state.closed
    },
    exchange: (command) => {
      const next = left.shift()
      expect(Buffer.from(command).toString('hex')).toBe(next?.command)
      return Promise.resolve(bytes(change(next?.command ?? '', next?.response ?? '')))
    },
    close: () => {
      state.closed = true
      return Promise.resolve()
    },
  }
}

const codeOf = (command: string): string => command.slice(12, 20)
const NV_READ_PUBLIC = '00000169'
const NV_READ = '0000014e'
const CREATE_PRIMARY = '00000131'
const QUOTE = '00000158'
const failure = (code: string): string => `80010000000a${code}`

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-tpm-'))
})
afterAll(() => {
  rmSync(folder, { recursive: true })
})

const pem = (der: Uint8Array): string =>
  `-----BEGIN CERTIFICATE-----\n${Buffer.from(der).toString('base64')}\n-----END CERTIFICATE-----\n`

const optionsFor = (name: string) => {
  const { evidence, path } = readRecorded(name)
  const issuers = join(folder, `${name}.pem`)
  writeFileSync(issuers, pem(evidence.akCertificates[1] ?? new Uint8Array()))
  return {
    device: '/dev/tpmrm0',
    eventLog: path('event-log.bin'),
    key: name.includes('rsa') ? ('rsa' as const) : ('ecc' as const),
    issuers,
  }
}

describe('the collector of boot evidence', () => {
  it.each(RECORDINGS)('asks a TPM as %s, and takes what it answers', async (name) => {
    const { evidence, expected } = readRecorded(name)
    const device = replay(name)
    const attester = await openBootAttester({ ...optionsFor(name), open: () => Promise.resolve(device) })
    expect(attester.keyDigest).toBe(expected.keyDigest)
    expect({ ...attester.record, ...(await attester.quote(expected.qualifyingData)) }).toEqual(evidence)
    await attester.close()
    expect(device.closed).toBe(true)
  })

  const [name = ''] = RECORDINGS

  it.each([
    ['there is no certificate', NV_READ_PUBLIC, '0000018b', 'tpm_key_missing'],
    ['the certificate was never written', NV_READ, '0000014a', 'tpm_key_missing'],
    ['the owner has a password', NV_READ, '000009a2', 'collector_forbidden'],
    ['the TPM is locked out', CREATE_PRIMARY, '00000921', 'collector_forbidden'],
    ['the TPM is in failure mode', CREATE_PRIMARY, '00000101', 'collector_disabled'],
    ['the template is none', CREATE_PRIMARY, '000002d5', 'tpm_refused'],
  ])('fails where %s, and closes the TPM', async (_, command, code, expected) => {
    const device = replay(name, (asked, response) => (codeOf(asked) === command ? failure(code) : response))
    const opening = openBootAttester({ ...optionsFor(name), open: () => Promise.resolve(device) })
    await expect(opening).rejects.toMatchObject({ code: expected })
    expect(device.closed).toBe(true)
  })

  it.each([
    ['of another length than it says', (response: string) => `${response}00`],
    ['that is cut short', (response: string) => response.slice(0, 30)],
    ['without a header', () => '8001'],
    ['of another form', (response: string) => `8001${response.slice(4)}`],
  ])('refuses a response %s as collector_failed', async (_, change) => {
    const device = replay(name, (asked, response) =>
      codeOf(asked) === CREATE_PRIMARY ? change(response) : response,
    )
    const opening = openBootAttester({ ...optionsFor(name), open: () => Promise.resolve(device) })
    await expect(opening).rejects.toMatchObject({ code: 'collector_failed' })
  })

  it('asks again where the TPM wants that, and gives up in the end: collector_busy', async () => {
    const asked: string[] = []
    const device = replay(name)
    const busy: TpmDevice = {
      close: device.close,
      exchange: (command) => {
        const hex = Buffer.from(command).toString('hex')
        if (codeOf(hex) !== QUOTE) return device.exchange(command)
        asked.push(hex)
        return Promise.resolve(bytes(failure('00000922')))
      },
    }
    const attester = await openBootAttester({ ...optionsFor(name), open: () => Promise.resolve(busy) })
    await expect(attester.quote(new Uint8Array(32))).rejects.toMatchObject({ code: 'collector_busy' })
    expect(asked).toHaveLength(10)
    expect(new Set(asked).size).toBe(1)
  })

  it.each([
    ['is not there', 'nowhere', 'event_log_unavailable'],
    ['is empty', 'empty', 'event_log_unavailable'],
    ['is over 64 KiB', 'long', 'event_log_unavailable'],
  ])('fails where the log %s', async (_, file, code) => {
    writeFileSync(join(folder, 'empty'), '')
    writeFileSync(join(folder, 'long'), new Uint8Array(65_537))
    const options = { ...optionsFor(name), eventLog: join(folder, file) }
    const opening = openBootAttester({ ...options, open: () => Promise.resolve(replay(name)) })
    await expect(opening).rejects.toMatchObject({ code })
  })

  it('fails where there is no TPM: provider_missing', async () => {
    const device = join(folder, 'nowhere')
    await expect(openBootAttester({ ...optionsFor(name), device })).rejects.toMatchObject({
      code: 'provider_missing',
    })
  })
})

describe('a TPM device', () => {
  it('that is not there is provider_missing', async () => {
    await expect(openTpmDevice(join(folder, 'none'))).rejects.toMatchObject({ code: 'provider_missing' })
  })

  it('that says nothing gives an empty answer, which is no response of a TPM', async () => {
    const device = await openTpmDevice('/dev/null')
    expect(await device.exchange(bytes('80010000000a00000922'))).toEqual(new Uint8Array())
    await device.close()
  })
})
