import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run as runParley, systemClock } from '@parley/agent'
import { canonicalBytes, type JsonObject, type JsonValue } from '@parley/protocol'
import type { Verdict } from '@parley/verifier'
import { run as runVerify } from '@parley/verifier/node'
import { beforeAll, describe, expect, it } from 'vitest'
import { createSimulatedVendor, makeAuthorityKeys } from '../../scripts/src/processor/index.js'
import { freshFolder } from '../harness/cleanup.js'
import { NEGOTIATION } from '../harness/contracts.js'
import { codeOf } from '../harness/failure.js'
import { theProcessor } from '../harness/processor.js'
import { type RealBundle, realBundle } from '../harness/real-bundle.js'
import { newParty } from '../harness/stage.js'

type Ran = { readonly code: number; readonly out: string; readonly err: string }

describe('a chain under a root that is not AMD’s', () => {
  let real: RealBundle
  let folder: string
  const file = (name: string): string => join(folder, name)
  const write = (name: string, value: JsonValue): void => {
    writeFileSync(file(name), canonicalBytes(value))
  }

  beforeAll(async () => {
    folder = freshFolder()
    real = await realBundle('confidential')
    const policy = real.trust.policy as JsonObject
    write('bundle.parley.json', real.bundle)
    write('evidence.json', real.bundle.evidence)
    write('contract.json', NEGOTIATION)
    write('leave.json', policy)
    write('no-leave.json', { ...policy, accept_simulated: false })
    write('waived.json', {
      ...policy,
      accept_simulated: false,
      waive: [{ check: 'root_accepted', reason: 'we would like to look away' }],
    })
    writeFileSync(file('root.der'), (await theProcessor()).rootCertificate)
    const keys = await makeAuthorityKeys()
    const vendor = createSimulatedVendor({ product: 'Milan', keys, nowMs: Date.now() })
    writeFileSync(file('other-root.der'), vendor.root)
  })

  const verify = async (...argv: readonly string[]): Promise<Ran> => {
    let [out, err] = ['', '']
    const io = { out: (text: string) => (out += text), err: (text: string) => (err += text), now: Date.now() }
    return { code: await runVerify(argv, io), out, err }
  }
  const parley = async (...argv: readonly string[]): Promise<Ran> => {
    let [out, err] = ['', '']
    const io = {
      out: (text: string) => (out += text),
      err: (text: string) => (err += text),
      env: { PARLEY_HOME: file('home') },
      confirm: null,
      clock: systemClock,
    }
    return { code: await runParley(argv, io), out, err }
  }
  const policy = (name: string): string[] => ['--policy', file(name)]
  const root = (name = 'root.der'): string[] => ['--root', file(name)]

  type Judged = readonly [what: string, argv: () => readonly string[]]
  const documents: readonly Judged[] = [
    ['bundle', () => ['bundle', file('bundle.parley.json')]],
    ['evidence', () => ['evidence', file('evidence.json')]],
  ]

  describe.each(documents)('of a %s', (_, argv) => {
    it('with leave is trusted, and SIMULATED in text and JSON', async () => {
      const text = await verify(...argv(), ...policy('leave.json'), ...root())
      expect([text.code, text.out.split(',')[0]]).toEqual([0, 'TRUSTED SIMULATED'])
      const { code, out } = await verify(...argv(), ...policy('leave.json'), ...root(), '--json')
      const verdict = JSON.parse(out) as Verdict
      expect([code, verdict.trusted, verdict.simulated]).toEqual([0, true, true])
      // Nothing is said to be AMD's word: wherever it would be, it is the simulated root's.
      expect(verdict.checks.map(({ trusted_for }) => trusted_for)).not.toContain('amd')
      expect(verdict.claims.launch.root).toBe('simulated root')
      expect(text.out).toContain('SIMULATED root')
      expect(text.out).not.toMatch(/AMD\]|root: AMD/)
    })

    it('without leave is exit 3, and SIMULATED all the same', async () => {
      const text = await verify(...argv(), ...policy('no-leave.json'), ...root())
      expect(text.code).toBe(3)
      expect(text.out).toMatch(
        /^NOT TRUSTED \(exit 3\) SIMULATED, root_accepted failed: simulated_without_leave/,
      )
      const { out } = await verify(...argv(), ...policy('no-leave.json'), ...root(), '--json')
      expect(JSON.parse(out)).toMatchObject({ trusted: false, simulated: true, exit_code: 3 })
    })

    it('waived is not trusted either', async () => {
      const { code, out } = await verify(...argv(), ...policy('waived.json'), ...root())
      expect([code, out.split(',')[0]]).toEqual([3, 'NOT TRUSTED (exit 3) SIMULATED'])
    })

    it.each([
      ['not passed at all', () => []],
      ['another simulated one', () => root('other-root.der')],
    ])('with a root that is %s is exit 2, whatever the policy gives leave to', async (__, roots) => {
      for (const name of ['leave.json', 'no-leave.json']) {
        const { code, out } = await verify(...argv(), ...policy(name), ...roots())
        expect(code).toBe(2)
        expect(out).toMatch(/^NOT TRUSTED \(exit 2\), hardware_genuine failed: /)
      }
    })
  })

  it('is not genuine where AMD’s roots alone count', async () => {
    const { code, out } = await verify('inspect', file('evidence.json'), '--json')
    expect([code, (JSON.parse(out) as { genuine: boolean }).genuine]).toEqual([2, false])
  })

  it('is SIMULATED to a participant wherever it is asked to trust it', async () => {
    const { host, seller } = real.stage
    const trust = [...policy('leave.json'), ...root()]
    const check = await parley('relay', 'check', host.url, ...trust)
    expect([check.code, check.out.split(',')[0]]).toEqual([0, 'TRUSTED SIMULATED'])
    expect((await parley('init')).code).toBe(0)
    const opened = await parley(
      'session',
      'new',
      '--relay',
      host.url,
      '--contract',
      file('contract.json'),
      '--invite',
      seller.identity.did,
      ...trust,
    )
    const invitation = JSON.parse(opened.out) as Parameters<typeof seller.join>[1]
    await seller.join(await real.stage.begin(seller), invitation)
    write('input.json', { ceiling: 1, currency: 'EUR' })
    const shown = await parley('session', 'submit', invitation.session_id, '--input', file('input.json'))
    expect(shown.err).toMatch(/relay +\S+, TEE_ATTESTED, confidential lane, SIMULATED/)
    const verdict = await parley('verify', file('bundle.parley.json'), ...trust)
    expect([verdict.code, verdict.out.split(',')[0]]).toEqual([0, 'TRUSTED SIMULATED'])
  })

  it('gets nothing sealed by a participant that gave no leave', async () => {
    const { host, trust } = real.stage
    const strict = { ...trust, policy: { ...(trust.policy as JsonObject), accept_simulated: false } }
    const sealed = host.sealed()
    expect(await codeOf(newParty().attest(host.url, strict))).toBe('relay_not_trusted')
    expect(await codeOf(newParty().attest(host.url, { ...trust, roots: [] }))).toBe('relay_not_trusted')
    expect(host.sealed()).toBe(sealed)
  })

  it('marks the keyset that a participant seals to', async () => {
    const relay = await real.stage.attest(newParty())
    expect([relay.keyset.simulated, relay.verdict.simulated]).toEqual([true, true])
  })
})
