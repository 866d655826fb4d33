import { describe, expect, it } from 'vitest'
import { type Appraisal, appraiseEvidence, type AttestationErrorCode } from '../src/index.js'
import { codeOf, genuineInput, readVector, vectorNames } from './evidence-folder.js'
import { policyWith, REPORT_DATA } from './policies.js'

const appraise = (
  vector: string,
  changes: Record<string, unknown> = {},
  reportData = REPORT_DATA,
): Promise<Appraisal> => {
  const input = genuineInput(vector)
  return appraiseEvidence(input, { policy: policyWith(changes), reportData }, input)
}

const failures = ({ checks }: Appraisal): [string, AttestationErrorCode | null][] =>
  checks.filter(({ result }) => result === 'failed').map(({ name, code }) => [name, code])

const guestPolicyWith = (changes: Record<string, unknown>): Record<string, unknown> => ({
  guest_policy: { ...policyWith().guest_policy, ...changes },
})

const platformInfoWith = (changes: Record<string, unknown>): Record<string, unknown> => ({
  platform_info: { ...policyWith().platform_info, ...changes },
})

const hex = (byte: string, bytes: number): string => byte.repeat(bytes)

describe('appraisal of evidence', () => {
  it.each([
    'milan-v2-vcek',
    'milan-v3-vcek',
    'milan-v5-vcek',
    'milan-v3-vlek',
    'genoa-v5-vcek',
    'turin-v5-vcek',
    'turin-v5-vlek',
  ])('%s is trusted under a policy that expects what it is', async (name) => {
    const appraisal = await appraise(name)
    expect(failures(appraisal)).toEqual([])
    expect(appraisal).toMatchObject({ trusted: true, simulated: true, waivers: [] })
  })

  it('lists an identity that may be anything, and stays trusted', async () => {
    const { trusted, anys, checks } = await appraise('milan-v3-vcek')
    expect(anys).toContainEqual({ check: 'chip_id', reason: 'whichever machine the provider chose' })
    expect(anys.map(({ check }) => check)).toEqual([
      'committed_tcb_minimum',
      'current_tcb_minimum',
      'launch_tcb_minimum',
      'tcb_floor_list',
      'committed_version_minimum',
      'mitigations',
      'chip_id',
      'report_id',
      'id_block',
      'crl',
    ])
    expect(checks).toContainEqual({
      name: 'chip_id',
      result: 'any',
      code: null,
      trusted_for: 'simulated root',
    })
    expect(trusted).toBe(true)
  })

  it('names the simulated root for every check that rests on it, and for none AMD', async () => {
    const { checks, claims } = await appraise('milan-v3-vcek')
    expect(new Set(checks.map(({ trusted_for }) => trusted_for))).toEqual(
      new Set(['nobody', 'simulated root']),
    )
    expect(claims.launch).toEqual({ status: 'passed', root: 'simulated root' })
  })

  it.each<[string, string, Record<string, unknown>, string, AttestationErrorCode]>([
    [
      'another measurement',
      'milan-v3-vcek',
      { measurement: { one_of: [hex('ab', 48), hex('cd', 48)] } },
      'measurement',
      'measurement_mismatch',
    ],
    [
      'a product line that is not expected',
      'milan-v3-vcek',
      { products: ['Genoa'] },
      'products',
      'product_refused',
    ],
    [
      'a key of a kind that is not expected',
      'milan-v3-vlek',
      { signing_keys: ['vcek'] },
      'signing_keys',
      'signing_key_refused',
    ],
    ['a guest that can be debugged', 'policy-debug', {}, 'debug', 'debug_enabled'],
    ['a guest that can be migrated', 'policy-migrate-ma', {}, 'guest_policy', 'guest_policy_refused'],
    [
      'SMT where it is forbidden',
      'milan-v3-vcek',
      guestPolicyWith({ smt: 'forbid' }),
      'guest_policy',
      'guest_policy_refused',
    ],
    [
      'more than one socket where one is required',
      'milan-v3-vcek',
      guestPolicyWith({ single_socket: 'require' }),
      'guest_policy',
      'guest_policy_refused',
    ],
    [
      'no AES-256-XTS where it is required',
      'milan-v3-vcek',
      guestPolicyWith({ aes_256_xts: 'require' }),
      'guest_policy',
      'guest_policy_refused',
    ],
    [
      'RAPL where it must be off',
      'milan-v3-vcek',
      guestPolicyWith({ rapl_disabled: 'require' }),
      'guest_policy',
      'guest_policy_refused',
    ],
    [
      'no ciphertext hiding where it is required',
      'milan-v3-vcek',
      guestPolicyWith({ ciphertext_hiding: 'require' }),
      'guest_policy',
      'guest_policy_refused',
    ],
    [
      'page swapping where it must be off',
      'milan-v3-vcek',
      guestPolicyWith({ page_swap_disabled: 'require' }),
      'guest_policy',
      'guest_policy_refused',
    ],
    [
      'an ABI that is too old',
      'milan-v3-vcek',
      guestPolicyWith({ abi_minimum: { major: 0, minor: 31 } }),
      'guest_policy',
      'guest_policy_refused',
    ],
    [
      'an ABI of a lower major version',
      'milan-v3-vcek',
      guestPolicyWith({ abi_minimum: { major: 1, minor: 0 } }),
      'guest_policy',
      'guest_policy_refused',
    ],
    [
      'firmware that is not committed',
      'firmware-provisional',
      {},
      'committed_equals_current',
      'firmware_provisional',
    ],
    ['another privilege level', 'vmpl-2', {}, 'vmpl', 'vmpl_refused'],
    [
      'a bit of the platform that must be set',
      'milan-v3-vcek',
      platformInfoWith({ tsme_enabled: 'require' }),
      'platform_info',
      'platform_info_refused',
    ],
    [
      'a bit of the platform that must not be set',
      'milan-v3-vcek',
      platformInfoWith({ smt_enabled: 'forbid' }),
      'platform_info',
      'platform_info_refused',
    ],
    [
      'an unknown bit where none may be set',
      'platform-info-unknown-bit',
      {},
      'platform_info',
      'platform_info_refused',
    ],
    ['another chip', 'milan-v3-vcek', { chip_id: { equals: hex('ab', 64) } }, 'chip_id', 'chip_id_refused'],
    [
      'other host data',
      'milan-v3-vcek',
      { host_data: { equals: hex('ab', 32) } },
      'host_data',
      'host_data_mismatch',
    ],
    [
      'another family',
      'milan-v3-vcek',
      { family_id: { equals: hex('ab', 16) } },
      'family_id',
      'family_id_mismatch',
    ],
    [
      'another image',
      'milan-v3-vcek',
      { image_id: { one_of: [hex('ab', 16)] } },
      'image_id',
      'image_id_mismatch',
    ],
    [
      'another id key',
      'milan-v3-vcek',
      { id_key_digest: { equals: hex('ab', 48) } },
      'id_key_digest',
      'id_key_digest_mismatch',
    ],
    [
      'another author key',
      'milan-v3-vcek',
      { author_key_digest: { equals: hex('ab', 48) } },
      'author_key_digest',
      'author_key_digest_mismatch',
    ],
  ])('refuses %s', async (_, vector, changes, check, code) => {
    const appraisal = await appraise(vector, changes)
    expect(failures(appraisal)).toContainEqual([check, code])
    expect(appraisal.trusted).toBe(false)
    expect(appraisal.claims).toMatchObject({ launch: { status: 'failed' }, app: { status: 'failed' } })
  })

  it.each([
    ['Milan', 'milan-v3-vcek', ['bootloader', 'snp', 'microcode', 'tee']],
    ['Genoa', 'genoa-v5-vcek', ['bootloader', 'snp', 'microcode', 'tee']],
    ['Turin', 'turin-v5-vcek', ['fmc', 'bootloader', 'tee', 'snp', 'microcode']],
  ] as const)(
    'refuses a TCB of %s of which one part is too old, whichever',
    async (product, vector, parts) => {
      const minimum: Record<string, number> = policyWith().tcb_minimum?.[product] ?? {}
      for (const part of parts) {
        const raised = Object.fromEntries(
          Object.entries(minimum).map(([name, value]) => [name, name === part ? value + 1 : value]),
        )
        const appraisal = await appraise(vector, {
          tcb_minimum: { ...policyWith().tcb_minimum, [product]: raised },
        })
        expect(failures(appraisal)).toEqual([['tcb_minimum', 'tcb_below_minimum']])
      }
    },
  )

  it('refuses REPORT_DATA of somebody else', async () => {
    const appraisal = await appraise('milan-v3-vcek', {}, new Uint8Array(64))
    expect(failures(appraisal)).toEqual([['report_data', 'report_data_mismatch']])
  })

  it('refuses a report that the host asked for, also where the privilege level is waived', async () => {
    const waived = await appraise('vmpl-host', { waive: [{ check: 'vmpl', reason: 'test' }] })
    expect(failures(waived)).toEqual([['asked_by_guest', 'vmpl_refused']])
    expect(failures(await appraise('vmpl-host'))).toContainEqual(['vmpl', 'vmpl_refused'])
  })

  it('shows everything that differs, not only the first', async () => {
    const appraisal = await appraise('policy-debug', {
      measurement: { equals: hex('ab', 48) },
      chip_id: { equals: hex('ab', 64) },
    })
    expect(failures(appraisal).map(([name]) => name)).toEqual(['measurement', 'debug', 'chip_id'])
  })

  it('takes identities that are set as expected', async () => {
    const identities = {
      host_data: { equals: hex('40', 32) },
      family_id: { one_of: [hex('00', 16), hex('f1', 16)] },
      image_id: { equals: hex('1a', 16) },
      id_key_digest: { equals: hex('1d', 48) },
      author_key_digest: { any: 'not used' },
    }
    expect((await appraise('identities-set', identities)).trusted).toBe(true)
  })

  it('takes provisional firmware, unknown bits and other levels where the policy says so', async () => {
    expect((await appraise('firmware-provisional', { committed_equals_current: 'any' })).trusted).toBe(true)
    expect(
      (await appraise('platform-info-unknown-bit', platformInfoWith({ unknown_bits: 'any' }))).trusted,
    ).toBe(true)
    expect((await appraise('vmpl-2', { vmpl: [0, 2] })).trusted).toBe(true)
    expect((await appraise('policy-migrate-ma', guestPolicyWith({ migrate_ma: 'allow' }))).trusted).toBe(true)
  })

  it('takes LAUNCH_TCB above COMMITTED_TCB: a guest can have been migrated', async () => {
    const order = { ...policyWith().tcb_order, launch_within_current: 'any' }
    expect((await appraise('launch-tcb-above-committed', { tcb_order: order })).trusted).toBe(true)
    expect(failures(await appraise('launch-tcb-above-committed'))).toEqual([
      ['tcb_order', 'tcb_order_refused'],
    ])
  })

  it('takes a masked CHIP_ID only where the policy allows it, and then lists the check as any', async () => {
    const { now, roots, evidence } = readVector('chip-id-masked')
    const judge = (masked_chip_id: string): Promise<Appraisal> =>
      appraiseEvidence(
        evidence(),
        { policy: policyWith({ masked_chip_id }), reportData: REPORT_DATA },
        { now, roots },
      )
    expect(failures(await judge('refuse'))).toEqual([['leaf_chip_id', 'chip_id_mismatch']])
    const allowed = await judge('allow')
    expect(allowed.trusted).toBe(true)
    expect(allowed.checks).toContainEqual({
      name: 'leaf_chip_id',
      result: 'any',
      code: null,
      trusted_for: 'simulated root',
    })
  })

  it.each(['measurement', 'guest_policy', 'debug', 'tcb_minimum', 'vmpl', 'platform_info'])(
    'is not trusted where %s is waived, and says so',
    async (check) => {
      const waive = [{ check, reason: 'trying things out' }]
      const appraisal = await appraise('milan-v3-vcek', { waive })
      expect(appraisal).toMatchObject({
        trusted: false,
        waivers: waive,
        claims: { launch: { status: 'not_run' } },
      })
      expect(appraisal.checks).toContainEqual({
        name: check,
        result: 'waived',
        code: null,
        trusted_for: 'simulated root',
      })
      expect(failures(appraisal)).toEqual([])
    },
  )

  it('claims the program only where the policy says that the launch covers it', async () => {
    expect((await appraise('milan-v3-vcek')).claims.app).toEqual({ status: 'passed', root: 'simulated root' })
    const { claims, trusted } = await appraise('milan-v3-vcek', { launch_covers: 'firmware' })
    expect({ trusted, launch: claims.launch.status }).toEqual({ trusted: true, launch: 'passed' })
    expect(claims.app).toEqual({ status: 'not_run', root: 'nobody' })
  })

  it('never claims the boot: nothing here looks at it', async () => {
    expect((await appraise('milan-v3-vcek')).claims.boot).toEqual({ status: 'not_run', root: 'nobody' })
  })

  it('of evidence that is not genuine nothing of the policy is run, and nothing is thrown', async () => {
    for (const name of vectorNames()) {
      const { expected, now, roots, evidence } = readVector(name)
      if (expected.code === null || (await codeOf(evidence)) !== null) continue
      const expectation = { policy: policyWith(), reportData: REPORT_DATA }
      const { trusted, signed, checks } = await appraiseEvidence(evidence(), expectation, { now, roots })
      expect({ name, trusted, signed }).toEqual({ name, trusted: false, signed: null })
      expect(checks.find((check) => check.name === 'measurement')?.result).toBe('not_run')
    }
  })

  it('without the root nobody is trusted for anything', async () => {
    const { now, ...input } = genuineInput('milan-v3-vcek')
    const { checks, trusted } = await appraiseEvidence(
      input,
      { policy: policyWith(), reportData: REPORT_DATA },
      { now },
    )
    expect(trusted).toBe(false)
    expect(new Set(checks.map(({ trusted_for }) => trusted_for))).toEqual(new Set(['nobody']))
  })
})

describe('an appraisal that leaves something out', () => {
  const input = genuineInput('milan-v3-vcek')

  it('throws for a missing reference value, also where the evidence is bad', async () => {
    const policy = { ...policyWith(), measurement: undefined }
    const bad = { ...input, report: new Uint8Array(3) }
    expect(await codeOf(() => appraiseEvidence(bad, { policy, reportData: REPORT_DATA }, input))).toBe(
      'reference_value_missing',
    )
  })

  it.each([0, 63, 65])('throws for REPORT_DATA of %i bytes', async (size) => {
    const expected = { policy: policyWith(), reportData: new Uint8Array(size) }
    expect(await codeOf(() => appraiseEvidence(input, expected, input))).toBe('argument_invalid')
  })

  it('throws for a time that is none', async () => {
    const expected = { policy: policyWith(), reportData: REPORT_DATA }
    expect(
      await codeOf(() => appraiseEvidence(input, expected, { ...input, now: new Date('yesterday') })),
    ).toBe('argument_invalid')
  })

  it('throws for an extra root that is no certificate', async () => {
    const expected = { policy: policyWith(), reportData: REPORT_DATA }
    const roots = [{ certificate: new Uint8Array(8), simulated: true as const }]
    expect(await codeOf(() => appraiseEvidence(input, expected, { ...input, roots }))).toBe(
      'argument_invalid',
    )
  })
})
