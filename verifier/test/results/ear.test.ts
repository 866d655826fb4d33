import { hash, type JsonObject, toBase64url } from '@parley/protocol'
import { beforeAll, describe, expect, it } from 'vitest'
import { appraiseRelay, parseVerifierPolicy } from '../../src/index.js'
import { canonicalBytes } from '@parley/protocol'
import { earClaims, readJudged } from '../../src/results/index.js'
import { KEYS, keysetOf, mintEvidence, NOW } from '../minted-bundle.js'
import { simulateRelay, type SimulatedRelay } from '../simulated-relay.js'
import { judgedOf, type ResultCase, resultCases } from './result-cases.js'

let relay: SimulatedRelay
let cases: Readonly<Record<string, ResultCase>>
beforeAll(async () => {
  relay = await simulateRelay()
  cases = await resultCases(relay)
})

type Submods = Readonly<Record<'cpu0' | 'relay', JsonObject>>

const submodsOf = async (name: string): Promise<Submods> => {
  const given = cases[name]
  if (given === undefined) throw new Error(`no case ${name}`)
  return earClaims(await judgedOf(given))['submods'] as unknown as Submods
}

const AFFIRMED = {
  hardware: 2,
  'instance-identity': 2,
  configuration: 2,
  executables: 2,
  'runtime-opaque': 2,
}
const RELAY = { 'instance-identity': 2, configuration: 2, executables: 2 }

describe('earClaims', () => {
  it.each<[string, string, object, string, object]>([
    ['bundle-trusted', 'affirming', AFFIRMED, 'affirming', RELAY],
    ['bundle-no-output', 'affirming', AFFIRMED, 'affirming', RELAY],
    ['bundle-consents-swapped', 'affirming', AFFIRMED, 'contraindicated', RELAY],
    ['bundle-software', 'none', {}, 'warning', { ...RELAY, executables: 32 }],
    ['bundle-malformed', 'none', {}, 'contraindicated', {}],
    ['evidence-trusted', 'affirming', AFFIRMED, 'affirming', RELAY],
    ['evidence-software-unwanted', 'none', {}, 'contraindicated', { ...RELAY, executables: 33 }],
    [
      'evidence-root-unknown',
      'contraindicated',
      { hardware: 97, 'instance-identity': 97 },
      'contraindicated',
      {},
    ],
    [
      'evidence-simulated-without-leave',
      'contraindicated',
      { hardware: 97, 'instance-identity': 97 },
      'contraindicated',
      {},
    ],
    [
      'evidence-report-of-another',
      'contraindicated',
      { ...AFFIRMED, 'instance-identity': 97 },
      'contraindicated',
      { 'instance-identity': 97 },
    ],
    [
      'evidence-tcb-too-old',
      'warning',
      { ...AFFIRMED, hardware: 32 },
      'warning',
      { ...RELAY, executables: 32 },
    ],
    [
      'evidence-code-unknown',
      'contraindicated',
      { ...AFFIRMED, executables: 33 },
      'contraindicated',
      { ...RELAY, executables: 32 },
    ],
    [
      'evidence-firmware-only',
      'warning',
      { ...AFFIRMED, executables: 32 },
      'warning',
      { ...RELAY, executables: 32 },
    ],
    [
      'evidence-measurement-waived',
      'none',
      { hardware: 2, 'instance-identity': 2, configuration: 2, 'runtime-opaque': 2 },
      'contraindicated',
      { ...RELAY, executables: 32 },
    ],
    [
      'evidence-hardware-unasked',
      'none',
      { hardware: 2, 'instance-identity': 2 },
      'warning',
      { ...RELAY, executables: 32 },
    ],
    ['evidence-release-unexpected', 'affirming', AFFIRMED, 'contraindicated', { ...RELAY, executables: 33 }],
    ['evidence-expired', 'affirming', AFFIRMED, 'contraindicated', { ...RELAY, 'instance-identity': 96 }],
  ])('%s: cpu0 is %s %j, relay is %s %j', async (name, cpuStatus, cpuVector, relayStatus, relayVector) => {
    const { cpu0, relay: program } = await submodsOf(name)
    expect([cpu0['ear.status'], cpu0['ear.trustworthiness-vector']]).toEqual([cpuStatus, cpuVector])
    expect([program['ear.status'], program['ear.trustworthiness-vector']]).toEqual([relayStatus, relayVector])
  })

  it('affirms no relay that its verdict does not trust', async () => {
    for (const given of Object.values(cases)) {
      const judged = await judgedOf(given)
      const { relay: program } = earClaims(judged)['submods'] as unknown as Submods
      if (program['ear.status'] === 'affirming') expect(judged.verdict.trusted).toBe(true)
    }
  })

  it('names a simulated root in the id of the policy and in the claims of both parts', async () => {
    for (const submod of Object.values(await submodsOf('evidence-trusted'))) {
      expect(submod['ear.appraisal-policy-id']).toMatch(/policy\/sha256\/[0-9a-f]{64}#SIMULATED$/)
      expect(submod['ear.veraison.policy-claims']).toMatchObject({ simulated: true })
    }
    for (const submod of Object.values(await submodsOf('bundle-software')))
      expect(submod['ear.appraisal-policy-id']).toMatch(/policy\/sha256\/[0-9a-f]{64}$/)
  })

  it('hands the receipt key on only where the relay is affirmed', async () => {
    const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), KEYS.receipt.publicKey])
    expect((await submodsOf('bundle-trusted')).relay['ear.veraison.key-attestation']).toEqual({
      akpub: spki.toString('base64url'),
    })
    for (const name of ['bundle-software', 'bundle-consents-swapped', 'evidence-root-unknown'])
      expect((await submodsOf(name)).relay).not.toHaveProperty(['ear.veraison.key-attestation'])
  })

  it('annotates with the report only where it is genuine', async () => {
    const annotated = 'ear.veraison.annotated-evidence'
    expect((await submodsOf('evidence-trusted')).cpu0[annotated]).toMatchObject({
      product: 'Milan',
      snp: { measurement: expect.stringMatching(/^00010203/) as string, policy: { debug: false } },
    })
    expect((await submodsOf('evidence-root-unknown')).cpu0).not.toHaveProperty([annotated])
  })

  it('names what failed with its code', async () => {
    const { relay: program, cpu0 } = await submodsOf('evidence-tcb-too-old')
    expect(program['ear.veraison.policy-claims']).toMatchObject({
      exit_code: 3,
      checks: { hardware_expected: 'failed: tcb_below_minimum' },
    })
    expect(cpu0['ear.veraison.policy-claims']).toMatchObject({
      checks: { tcb_minimum: 'failed: tcb_below_minimum', measurement: 'passed' },
    })
  })

  it('echoes a nonce that the caller demanded and got, and no other', async () => {
    const nonce = toBase64url(new Uint8Array(32).fill(7))
    const bytes = canonicalBytes(await mintEvidence(keysetOf('confidential'), nonce, relay.reporter))
    const terms = { roots: relay.roots, now: NOW }
    const ear = async (demanded: string | null): Promise<JsonObject> => {
      const policy = parseVerifierPolicy(relay.policy)
      const { verdict } = await appraiseRelay({ evidence: bytes, nonce: demanded, policy, ...terms })
      return earClaims(await readJudged({ bytes, verdict, policyDigest: hash(relay.policy), ...terms }))
    }
    expect(await ear(nonce)).toMatchObject({ eat_nonce: nonce })
    expect(await ear(null)).not.toHaveProperty('eat_nonce')
    expect(await ear(toBase64url(new Uint8Array(32)))).not.toHaveProperty('eat_nonce')
  })

  it('has the members of its profile, and no others', async () => {
    const given = cases['bundle-trusted']
    if (given === undefined) throw new Error('no case')
    expect(Object.keys(earClaims(await judgedOf(given))).sort()).toEqual([
      'ear.verifier-id',
      'eat_profile',
      'iat',
      'submods',
    ])
  })
})
