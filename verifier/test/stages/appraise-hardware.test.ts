import type { CrlSpec } from '@parley/scripts'
import { type JsonObject, toBase64url } from '@parley/protocol'
import { beforeAll, describe, expect, it } from 'vitest'
import { appraiseRelay, parseVerifierPolicy, type Verdict } from '../../src/index.js'
import { failures } from '../judge.js'
import { keysetOf, mintEvidence, NOW } from '../minted-bundle.js'
import { simulateRelay, type SimulatedRelay } from '../simulated-relay.js'

let relay: SimulatedRelay
beforeAll(async () => {
  relay = await simulateRelay()
})

const DAY_MS = 86_400_000
const INTERMEDIATE = { serial: Uint8Array.of(1, 0, 1), revokedAtMs: NOW - DAY_MS }

const crlOf = (changes: Partial<CrlSpec> = {}): Uint8Array => relay.processor.vendor.issueCrl(changes)

const appraise = async (crl: string | null, expected: JsonObject): Promise<Verdict> => {
  const evidence = await mintEvidence(keysetOf('confidential'), null, async (reportData) => ({
    ...(await relay.reporter(reportData)),
    crl,
  }))
  const hardware = { ...(relay.policy['hardware'] as JsonObject), crl: expected }
  const policy = parseVerifierPolicy({ ...relay.policy, hardware })
  return (await appraiseRelay({ evidence, nonce: null, policy, roots: relay.roots, now: NOW })).verdict
}

const required = { use: 'required', max_age_days: 30 }
const notUsed = { use: 'not_used', any: 'offline' }

describe('a CRL in an evidence document', () => {
  it('may be null, where the policy does not require one', async () => {
    expect(failures(await appraise(null, notUsed))).toEqual({})
    expect(failures(await appraise(null, required))).toMatchObject({ hardware_expected: 'crl_missing' })
  })

  it("is bound to the verdict's checks where it is the root's", async () => {
    const verdict = await appraise(toBase64url(crlOf()), required)
    expect(failures(verdict)).toEqual({})
    expect(verdict.hardware.filter(({ name }) => ['revocation', 'crl'].includes(name))).toMatchObject([
      { name: 'revocation', result: 'passed' },
      { name: 'crl', result: 'passed' },
    ])
  })

  it.each([
    ['required', required],
    ['not used', notUsed],
  ])('that is not genuine makes evidence not genuine, also where it is %s', async (_, expected) => {
    const cut = crlOf().subarray(1)
    const revoking = crlOf({ revoked: [INTERMEDIATE] })
    const turned = crlOf().map((byte, at) => (at === 700 ? byte ^ 1 : byte))
    const genuine = async (crl: Uint8Array): Promise<unknown> =>
      failures(await appraise(toBase64url(crl), expected))['hardware_genuine']
    expect(await genuine(cut)).toBe('crl_malformed')
    expect(await genuine(revoking)).toBe('certificate_revoked')
    expect(await genuine(turned)).toBe('crl_signature_invalid')
  })

  it.each(['', '=', 'A', 'a+b/', 'A'.repeat(87_383)])(
    'is refused where it is no base64url of 1 byte to 64 KiB',
    async (crl) => {
      expect(failures(await appraise(crl, notUsed))).toHaveProperty('evidence_form')
    },
  )

  it('of 64 KiB is read, and then malformed', async () => {
    const crl = toBase64url(new Uint8Array(65_536))
    expect(failures(await appraise(crl, notUsed))).toMatchObject({ hardware_genuine: 'crl_malformed' })
  })
})
