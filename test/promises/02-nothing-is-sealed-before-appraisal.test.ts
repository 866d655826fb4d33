import { type AttestedRelay, checkRelay, systemClock } from '@parley/agent'
import { parseCanonicalJson, parseEvidence } from '@parley/protocol'
import { appraiseRelay, parseVerifierPolicy } from '@parley/verifier'
import { beforeAll, describe, expect, it } from 'vitest'
import { agreed, confer, seatBoth } from '../harness/confer.js'
import { CEILING } from '../harness/contracts.js'
import { codeOf } from '../harness/failure.js'
import { at, honest, type Passing } from '../harness/hostile-proxy.js'
import { judge } from '../harness/judge.js'
import { LANES } from '../harness/relay.js'
import { newParty, type OpenStage as Stage, openStage } from '../harness/stage.js'
import { extraRoots } from '../harness/trust.js'

const BOOT: Passing = { method: 'GET', path: '/evidence', type: '', body: Buffer.alloc(0) }

describe.each(LANES)('before a seal, in the %s lane', (lane) => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage(lane)
  })

  /** Attests while the host answers evidence requests in its own way; what was sealed meanwhile is counted. */
  const attestUnder = async (meddle: Stage['host']['meddle']): Promise<{ code: string; sealed: number }> => {
    const before = stage.host.sealed()
    stage.host.meddle = at('/evidence', meddle)
    const code = await codeOf(stage.begin(stage.buyer).then((begin) => begin.relay))
    stage.host.meddle = honest
    return { code, sealed: stage.host.sealed() - before }
  }

  it('evidence that answers the own nonce is accepted, and a session follows', async () => {
    const [bundle] = await confer(stage)
    expect((await judge(bundle, stage.trust)).trusted).toBe(true)
  })

  it('the document made at boot is not enough', async () => {
    const told = await attestUnder((_, pass) => pass(BOOT))
    expect(told).toEqual({ code: 'relay_not_trusted', sealed: 0 })
  })

  it('genuine evidence for an earlier nonce is not enough', async () => {
    await stage.attest(stage.seller)
    const kept = stage.host.seen.at(-1)?.answer ?? null
    expect(kept?.status).toBe(200)
    const told = await attestUnder(() => Promise.resolve(kept))
    expect(told).toEqual({ code: 'relay_not_trusted', sealed: 0 })
    stage.host.meddle = at('/evidence', () => Promise.resolve(kept))
    const { verdict, relay } = await checkRelay({
      url: stage.host.url,
      trust: stage.trust,
      clock: systemClock,
    })
    stage.host.meddle = honest
    expect([verdict.exit_code, relay]).toEqual([3, null])
    expect(verdict.checks.find(({ name }) => name === 'evidence_nonce')).toMatchObject({
      code: 'nonce_mismatch',
    })
  })

  it('without a nonce of the caller there is a verdict, and nothing that could be sealed to', async () => {
    const { body } = await stage.host.pass(BOOT)
    const evidence = parseEvidence(parseCanonicalJson(new Uint8Array(body)))
    const policy = parseVerifierPolicy(stage.trust.policy)
    const asked = { evidence, policy, roots: extraRoots(stage.trust), now: Date.now() }
    const { verdict, keyset } = await appraiseRelay({ ...asked, nonce: null })
    expect([verdict.trusted, keyset]).toEqual([true, null])
  })

  it('a keyset outside its dates is not sealed to, even if it was appraised in time', async () => {
    const { not_after } = stage.relay.keyset
    const late = newParty({ nowMs: () => (not_after + 1) * 1000, sleep: systemClock.sleep })
    const before = stage.host.sealed()
    expect(await codeOf(stage.begin(late))).toBe('relay_not_trusted')
    const relay: AttestedRelay = await stage.attest(stage.buyer)
    const begin = { ...(await stage.begin(stage.buyer)), relay }
    const proposal = { contract: (await agreed(stage)).bought.file.record.contract, invited: [null] }
    const sealed = stage.host.sealed()
    expect(await codeOf(late.create(begin, proposal))).toBe('keyset_expired')
    expect(stage.host.sealed()).toBe(sealed)
    expect(sealed).toBeGreaterThan(before)
  })

  it('no input is sealed before the offer was appraised and consented to', async () => {
    const { bought } = await seatBoth(stage)
    const before = stage.host.sealed()
    expect(await codeOf(stage.buyer.submit(bought, CEILING, 0))).toBe('offer_refused')
    await stage.buyer.offer(bought, 10_000)
    const appraised = stage.host.sealed()
    expect(await codeOf(stage.buyer.submit(bought, CEILING, 0))).toBe('offer_refused')
    expect(stage.host.sealed()).toBe(appraised)
    expect(appraised).toBe(before + 1)
    expect(bought.file.record.encapsulations).toEqual([])
  })

  it('an offer to other participants than expected is refused, and no input is sealed under it', async () => {
    const { seller } = stage
    const proposal = { contract: (await agreed(stage)).bought.file.record.contract, invited: [null] }
    const { invitation } = await stage.buyer.create(await stage.begin(stage.buyer), proposal)
    // The seller was promised a session with somebody else.
    const promised = { ...invitation, seats: [newParty().identity.did, null] }
    const sold = await seller.join(await stage.begin(seller), promised)
    expect(await codeOf(seller.offer(sold, 10_000))).toBe('offer_refused')
    const before = stage.host.sealed()
    expect(await codeOf(seller.submit(sold, CEILING, 0))).toBe('offer_refused')
    expect(stage.host.sealed()).toBe(before)
  })
})
