import { checkRelay, systemClock } from '@parley/agent'
import {
  encodeKeyConfigs,
  encodeRequest,
  type Evidence,
  fromBase64url,
  type GatewayKey,
  generateGatewayKey,
  generateSigningKey,
  type Keyset,
  openRequest,
  parseKeyConfigs,
  parseRequest,
  receiptCore,
  signReceipt,
  startRequest,
  toBase64url,
  utf8,
} from '@parley/protocol'
import { beforeAll, describe, expect, it } from 'vitest'
import { agreed, collectBoth, confer, submitBoth } from '../harness/confer.js'
import { CEILING, FLOOR } from '../harness/contracts.js'
import { codeOf, codeThrown } from '../harness/failure.js'
import { forgeEvidence } from '../harness/forge-evidence.js'
import { at, honest, type Meddling, type Passing } from '../harness/hostile-proxy.js'
import { failedChecks, judge } from '../harness/judge.js'
import { changingEvidence, evidenceIn } from '../harness/reflections.js'
import { LANES, openRelay, type TestRelay } from '../harness/relay.js'
import { CHARGE, spentOf } from '../harness/spent.js'
import { type OpenStage as Stage, openStage } from '../harness/stage.js'

// The id stays: it is what the host routes by. The key is the host's own, so that it could open what is sealed to it.
const hostKeyFor = ({ ohttp_keys }: Keyset): GatewayKey =>
  generateGatewayKey(parseKeyConfigs(fromBase64url(ohttp_keys))[0]?.keyId ?? 0)
const withKey = (keyset: Keyset, { config }: GatewayKey): Keyset => ({
  ...keyset,
  ohttp_keys: toBase64url(encodeKeyConfigs([config])),
})
const asking = (nonce: string | null): Passing => ({
  method: 'POST',
  path: '/evidence',
  type: 'application/json',
  body: Buffer.from(JSON.stringify({ nonce })),
})
const hostReceiptKey = generateSigningKey()

describe.each(LANES)('a host of the %s lane', (lane) => {
  const isConfidential = lane === 'confidential'
  let stage: Stage
  let other: TestRelay
  beforeAll(async () => {
    stage = await openStage(lane)
    other = await openRelay(lane)
  })

  type Swap = readonly [
    what: string,
    noticedBy: string,
    change: (evidence: Evidence) => Evidence | Promise<Evidence>,
  ]
  const swaps: readonly Swap[] = [
    [
      'the key configuration',
      'evidence_binding',
      (evidence) => ({ ...evidence, keyset: withKey(evidence.keyset, hostKeyFor(evidence.keyset)) }),
    ],
    [
      'keyset, tree and possession, so that they agree with one another',
      isConfidential ? 'report_data' : 'relay_receipt_key',
      ({ keyset, nonce, binding }) => {
        const receipt_key = toBase64url(hostReceiptKey.publicKey)
        const swapped = { ...withKey(keyset, hostKeyFor(keyset)), receipt_key }
        return forgeEvidence(swapped, hostReceiptKey, nonce, binding.hardware)
      },
    ],
    [
      'the binding for that of another relay, over the same nonce',
      'evidence_binding',
      async (evidence) => {
        const { binding } = evidenceIn(await stage.host.pass(asking(evidence.nonce), other.url))
        return { ...evidence, binding }
      },
    ],
    [
      'the keyset for that of another relay',
      'evidence_binding',
      (evidence) => ({ ...evidence, keyset: other.keyset }),
    ],
    [
      'the dates of the keyset',
      'evidence_binding',
      ({ keyset, ...rest }) => ({ ...rest, keyset: { ...keyset, not_after: keyset.not_after + 1 } }),
    ],
    [
      'the place of the leaf',
      'evidence_binding',
      ({ binding, ...rest }) => ({
        ...rest,
        binding: { ...binding, leaf_index: binding.leaf_index ^ 1 },
      }),
    ],
  ]

  const attestUnder = async (
    meddle: Meddling,
  ): Promise<{ code: string; failed: string[]; sealed: number }> => {
    const { host, trust, buyer } = stage
    const before = host.sealed()
    host.meddle = at('/evidence', meddle)
    const { verdict } = await checkRelay({ url: host.url, trust, clock: systemClock })
    const code = await codeOf(stage.attest(buyer))
    host.meddle = honest
    return { code, failed: failedChecks(verdict), sealed: host.sealed() - before }
  }

  it.each(swaps)('that swaps %s is noticed by %s, and not sealed to', async (_, noticedBy, change) => {
    const { code, failed, sealed } = await attestUnder(changingEvidence(change))
    expect([code, sealed]).toEqual(['relay_not_trusted', 0])
    expect(failed).toContain(noticedBy)
  })

  it('that puts a relay of its own in the place of the expected one is not sealed to', async () => {
    // In the confidential lane another relay of the same build on attested hardware would be as good as the first.
    const own = isConfidential ? await openRelay('software') : other
    const { code, sealed } = await attestUnder((request, pass) => pass(request, own.url))
    expect([code, sealed]).toEqual(['relay_not_trusted', 0])
  })

  it('that changes nothing is trusted, so it was not the harness that refused', async () => {
    expect(await attestUnder(changingEvidence((evidence) => evidence))).toEqual({
      code: 'nothing failed',
      failed: [],
      sealed: 0,
    })
  })

  it('that keeps sealed inputs, or hands them to a relay of its own, can open none', async () => {
    const { host, buyer, seller } = stage
    const before = [await spentOf(stage, buyer), await spentOf(stage, seller)]
    const { bought, sold } = await agreed(stage)
    const own = hostKeyFor(stage.relay.keyset)
    const tried: string[] = []
    host.meddle = at('/ohttp', ({ body }) => {
      tried.push(codeThrown(() => openRequest(own, new Uint8Array(body))))
      return Promise.resolve({ status: 400, headers: {}, body: Buffer.alloc(0) })
    })
    expect(await codeOf(buyer.submit(bought, CEILING, 0))).toBe('gateway_refused')
    expect(tried).toEqual(['hpke_failed'])
    host.meddle = at('/ohttp', (request, pass) => pass(request, other.url))
    expect(await codeOf(seller.submit(sold, FLOOR, 0))).toMatch(/^gateway_(?:refused|key_unknown)$/)
    host.meddle = honest
    expect([bought.file.record.input_accepted, sold.file.record.input_accepted]).toEqual([false, false])
    expect([await spentOf(stage, buyer), await spentOf(stage, seller)]).toEqual(before)
  })

  it('could have opened what is sealed to a key of its own: the control', () => {
    const own = hostKeyFor(stage.relay.keyset)
    const content = utf8('a canary')
    const request = { method: 'POST', scheme: 'https', authority: 'relay', path: '/', headers: [], content }
    const { bhttp } = openRequest(own, startRequest(own.config).seal(encodeRequest(request)))
    expect(parseRequest(bhttp).content).toEqual(content)
  })

  it('that swapped keys between the steps of a session spoils nothing of it', async () => {
    const { host, buyer } = stage
    const before = await spentOf(stage, buyer)
    const seated = await agreed(stage)
    host.meddle = at(
      '/evidence',
      changingEvidence((evidence) => ({ ...evidence, keyset: other.keyset })),
    )
    expect(await codeOf(buyer.resume(seated.bought.file.record.session_id))).toBe('relay_not_trusted')
    host.meddle = honest
    await submitBoth(stage, seated)
    const [bundle] = await collectBoth(stage, seated)
    expect((await judge(bundle, stage.trust)).trusted).toBe(true)
    expect(await spentOf(stage, buyer)).toBe(before + CHARGE)
  })

  it('cannot sign a receipt with its own key, even beside the true evidence', async () => {
    const [bundle] = await confer(stage)
    const forged = { ...bundle, receipt: signReceipt(receiptCore(bundle.receipt), hostReceiptKey) }
    const verdict = await judge(forged, stage.trust)
    expect([verdict.exit_code, ...failedChecks(verdict)]).toEqual([4, 'receipt_signature'])
  })
})
