import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { AttestationError, failureClass } from '@parley/attestation'
import { Command, CommanderError } from 'commander'
import { describe, expect, test } from 'vitest'
import { addMeasureCommand } from '../../src/node/measure-command.js'

const VECTORS = new URL('../../../attestation/vectors/', import.meta.url)
const NOW = Date.UTC(2026, 10, 30)

type Outcome = { readonly out: readonly string[]; readonly complaints: string; readonly code: number }

/** What the process does with a usage error: it complains and exits with 1. */
const complaintOf = (error: unknown): string => {
  if (error instanceof CommanderError) return error.message
  if (error instanceof AttestationError && failureClass(error.code) === 'usage') return error.message
  throw error
}

/** Runs `measure`. An argument that ends like a file names one of a vector folder. */
const run = async (folder: string, ...args: readonly string[]): Promise<Outcome> => {
  const printed = { out: '', complaints: '', code: 1 }
  const io = {
    out: (text: string) => void (printed.out += text),
    err: (text: string) => void (printed.complaints += text),
    now: NOW,
  }
  const program = new Command().exitOverride().configureOutput({ writeOut: io.out, writeErr: io.err })
  addMeasureCommand(program, io, (code) => (printed.code = code))
  const paths = args.map((arg) =>
    /\.(?:bin|der|binarypb)$/.test(arg) ? fileURLToPath(new URL(`${folder}/${arg}`, VECTORS)) : arg,
  )
  try {
    await program.parseAsync(['measure', ...paths], { from: 'user' })
  } catch (error) {
    printed.complaints += complaintOf(error)
  }
  return { ...printed, out: printed.out.split('\n').slice(0, -1) }
}

const digestOf = (folder: string): string =>
  (JSON.parse(readFileSync(new URL(`${folder}/expect.json`, VECTORS), 'utf8')) as { digest: string }).digest

const LAUNCH = [
  '--ovmf',
  'firmware.bin',
  '--vcpus',
  '2',
  '--vcpu-type',
  'EPYC-Milan',
  '--vmm',
  'QEMU',
  '--guest-features',
  '0x1',
]
const DIRECT = ['--kernel', 'kernel.bin', '--initrd', 'initrd.bin', '--append', 'console=ttyS0 ro']
const DIRECT_BOOT = 'measure-qemu-direct-boot'

/** The last of two equal options counts. */
const direct = async (...more: readonly string[]): Promise<Outcome> =>
  run(DIRECT_BOOT, ...LAUNCH, ...DIRECT, ...more)

describe('measure', () => {
  test('prints the digest and nothing else', async () => {
    expect(await direct()).toEqual({ out: [digestOf(DIRECT_BOOT)], complaints: '', code: 0 })
  })

  test('takes a signature, a firmware hash and no 0x', async () => {
    const signature = [
      '--ovmf',
      'firmware.bin',
      '--vcpus',
      '1',
      '--vcpu-sig',
      'B00F00',
      '--vmm',
      'qemu',
      '--guest-features',
      '1',
    ]
    expect((await run('measure-qemu-signature', ...signature)).out).toEqual([
      digestOf('measure-qemu-signature'),
    ])
    const hash = await run('measure-qemu-ovmf-hash', ...LAUNCH, '--ovmf-hash', '5A'.repeat(48))
    expect(hash.out).toEqual([digestOf('measure-qemu-ovmf-hash')])
  })

  test('with --json prints the digest after each step', async () => {
    const { out } = await direct('--json')
    const { digest, steps } = JSON.parse(out.join('')) as {
      digest: string
      steps: { name: string; digest: string }[]
    }
    expect(digest).toBe(digestOf(DIRECT_BOOT))
    expect([steps[0]?.name, steps.at(-1)?.digest]).toEqual(['firmware', digest])
  })

  test.each([
    ['--ovmf', 'absent.bin'],
    ['--vcpus', 'two'],
    ['--vcpus', '0'],
    ['--vcpu-type', 'EPYC-Naples'],
    ['--vcpu-sig', '0xa00f11'],
    ['--vmm', 'xen'],
    ['--guest-features', '0y1'],
    ['--guest-features', '0x20'],
    ['--ovmf-hash', 'abc'],
    ['--ovmf-hash', 'abcd'],
    ['--explain', 'abcd'],
    ['--kernel', 'absent.bin'],
  ])('%s %s is a usage error, 1', async (option, value) => {
    const { out, complaints, code } = await direct(option, value)
    expect({ out, code }).toEqual({ out: [], code: 1 })
    expect(complaints).not.toBe('')
  })

  test.each(['--ovmf', '--vcpus', '--vmm', '--guest-features'])(
    'without %s is a usage error, 1',
    async (option) => {
      const at = LAUNCH.indexOf(option)
      const { complaints, code } = await run(DIRECT_BOOT, ...LAUNCH.slice(0, at), ...LAUNCH.slice(at + 2))
      expect(code).toBe(1)
      expect(complaints).toContain(option)
    },
  )

  test('an unknown option is a usage error, 1', async () => {
    expect((await direct('--no-such')).code).toBe(1)
  })

  test('a firmware that is none is malformed, 5', async () => {
    const { out, code } = await direct('--ovmf', 'kernel.bin')
    expect({ out, code }).toEqual({ out: [], code: 5 })
  })
})

describe('measure --explain', () => {
  test('of the expected digest says that it matches', async () => {
    const { out, code } = await direct('--explain', digestOf(DIRECT_BOOT).toUpperCase())
    expect(out.at(-1)).toContain('matches')
    expect(code).toBe(0)
  })

  test('names what reproduces another digest, and exits with 3', async () => {
    const { out, code } = await direct(
      '--explain',
      digestOf(DIRECT_BOOT),
      '--vcpus',
      '3',
      '--guest-features',
      '0x21',
    )
    expect(out.slice(2)).toEqual([
      'differs: the reported digest is reproduced with',
      '  guest_features: 0x1 (given: 0x21)',
      '  vcpus: 2 (given: 3)',
    ])
    expect(code).toBe(3)
  })

  test('says when nothing that was tried reproduces it, and exits with 3', async () => {
    const { out, code } = await direct('--explain', '00'.repeat(48))
    expect(out.join('\n')).toMatch(/none of the \d+ launches that were tried/)
    expect(code).toBe(3)
  })

  test('with --json says the same', async () => {
    const { out, code } = await direct('--explain', digestOf(DIRECT_BOOT), '--vcpus', '1', '--json')
    expect(JSON.parse(out.join(''))).toMatchObject({
      reported: digestOf(DIRECT_BOOT),
      matches: false,
      explanations: [[{ input: 'vcpus', given: '1', found: '2' }]],
    })
    expect(code).toBe(3)
  })
})

const gcp = async (folder: string, ...args: readonly string[]): Promise<Outcome> =>
  run(folder, 'gcp', 'endorsement.binarypb', '--vcpus', '8', ...args)

const ROOT = ['--google-root', 'root.der']

describe('measure gcp', () => {
  test('prints measurement, svn and policy of a verified endorsement', async () => {
    const { out, code } = await gcp('measure-gcp-endorsed', ...ROOT)
    expect(code).toBe(0)
    expect(out[0]).toBe('endorsed under the root that was passed in')
    expect(out).toContain(`measurement     ${'08'.repeat(48)} (8 vcpus)`)
    expect(out).toContain('svn             3')
    expect(out).toContain('policy, at most 0x70000 (smt, migrate_ma)')
    expect(out).toContain('signed at       2026-09-01T12:00:00.000Z')
    expect(out).toContain('signature       passed')
  })

  test('with --json prints one object', async () => {
    const { out } = await gcp('measure-gcp-endorsed', ...ROOT, '--json')
    expect(JSON.parse(out.join(''))).toMatchObject({
      trusted: true,
      measurement: '08'.repeat(48),
      policy_maximum: '0x70000',
      cl_spec: '700123456',
      commit: '0123456789abcdef0123456789abcdef01234567',
      family_id: 'f73a6949-e8f3-473b-9553-e40e056fa3a2',
      endorsed_vcpus: [2, 4, 8, 240],
      unknown_fields: [],
    })
  })

  test('without a root verifies nothing, says so, and exits with 3', async () => {
    const { out, code } = await gcp('measure-gcp-root-missing')
    expect(out[0]).toMatch(/^NOT VERIFIED/)
    expect(out).toContain('signature       not_run: root_missing')
    expect(code).toBe(3)
  })

  test.each([
    ['measure-gcp-tampered', 'signature       failed: endorsement_signature_invalid', 2],
    ['measure-gcp-other-root', 'certificate     failed: chain_signature_invalid', 2],
  ])('%s is not genuine', async (folder, line, exit) => {
    const { out, code } = await gcp(folder, ...ROOT)
    expect(out[0]).toMatch(/^NOT VERIFIED/)
    expect(out).toContain(line)
    expect(code).toBe(exit)
  })

  test('a number of vcpus without a measurement is not what was expected, 3', async () => {
    const { out, code } = await gcp('measure-gcp-endorsed', ...ROOT, '--vcpus', '3')
    expect(out).toContain('measurement     none (3 vcpus)')
    expect(code).toBe(3)
  })

  test('--now decides when certificates have to be valid', async () => {
    const { out, code } = await gcp('measure-gcp-endorsed', ...ROOT, '--now', '2028-01-01T00:00:00Z')
    expect(out).toContain('certificate     failed: certificate_expired')
    expect(code).toBe(2)
  })

  test('an endorsement that is cut short is malformed, 5', async () => {
    expect((await gcp('measure-gcp-cut-short', ...ROOT)).code).toBe(5)
  })

  test.each([
    ['--now', '2028-01-01T00:00:00'],
    ['--now', '2028-13-01T00:00:00Z'],
    ['--vcpus', '0'],
    ['--vcpus', '-1'],
    ['--google-root', 'absent.der'],
  ])('%s %s is a usage error, 1', async (option, value) => {
    expect((await gcp('measure-gcp-endorsed', ...ROOT, option, value)).code).toBe(1)
  })

  test('without --vcpus is a usage error, 1', async () => {
    expect((await run('measure-gcp-endorsed', 'gcp', 'endorsement.binarypb')).code).toBe(1)
  })
})
