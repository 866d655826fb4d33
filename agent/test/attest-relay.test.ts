import { generateGatewayKey, encodeKeyConfigs, type JsonValue, toBase64url } from '@parley/protocol'
import { describe, expect, test } from 'vitest'
import { attestRelay, checkRelay } from '../src/index.js'
import { evidenceOf, makeKeys, NOW_SECONDS, policyFor } from './double/keys.js'
import { startRelay, type Tampering } from './double/relay.js'
import { startStage, testClock } from './double/stage.js'
import { contract } from './double/terms.js'

const attest = async (tampering: Tampering, keys = makeKeys()) => {
  const relay = await startRelay(keys, tampering)
  const trust = { policy: policyFor(keys), roots: [] }
  return attestRelay({ url: relay.url, trust, clock: testClock() })
}

describe('a relay is attested', () => {
  test('over a nonce of its participant’s own, another each time', async () => {
    const nonces: string[] = []
    const keys = makeKeys()
    const tampering: Tampering = {
      evidence: (nonce) => {
        nonces.push(nonce)
        return evidenceOf(keys, nonce)
      },
    }
    for (const relay of [await attest(tampering, keys), await attest(tampering, keys)])
      expect(relay.keyset).toMatchObject({ keysetDigest: keys.keysetDigest, assuranceLevel: 'SELF_ASSERTED' })
    expect(new Set(nonces).size).toBe(2)
  })

  test('at the replica that is named', async () => {
    const keys = makeKeys()
    const relay = await startRelay(keys)
    const trust = { policy: policyFor(keys), roots: [] }
    await attestRelay({ url: relay.url, keyId: 7, trust, clock: testClock() })
    expect(relay.outer).toEqual(['/evidence?key_id=7'])
  })
})

describe('a relay is not trusted, and nothing is sealed to it,', () => {
  const keys = makeKeys()
  const stranger = makeKeys()
  const swapped = toBase64url(encodeKeyConfigs([generateGatewayKey(7).config]))
  const cases: readonly (readonly [string, (nonce: string) => JsonValue, string])[] = [
    [
      'where the evidence is over another nonce',
      () => evidenceOf(keys, toBase64url(new Uint8Array(32))),
      'evidence_nonce',
    ],
    ['where the evidence is the one made at boot', () => evidenceOf(keys, null), 'evidence_nonce'],
    [
      'where the nonce was written over a document of another',
      (nonce) => ({ ...evidenceOf(keys, null), nonce }),
      'evidence_binding',
    ],
    [
      'where a host swapped the key configuration',
      (nonce) => ({ ...evidenceOf(keys, nonce), keyset: { ...keys.keyset, ohttp_keys: swapped } }),
      'evidence_binding',
    ],
    [
      'where somebody else signs for a swapped key configuration',
      (nonce) => evidenceOf({ ...stranger, keyset: { ...keys.keyset, ohttp_keys: swapped } }, nonce),
      'evidence_binding',
    ],
    ['where it is another relay in good order', (nonce) => evidenceOf(stranger, nonce), 'relay_receipt_key'],
    ['where its dates are over', (nonce) => evidenceOf(old, nonce), 'keyset_window'],
    ['where a member is unknown', (nonce) => ({ ...evidenceOf(keys, nonce), extra: 1 }), 'evidence_form'],
    ['where it is no evidence', () => 'hello', 'evidence_form'],
  ]
  const old = { ...makeKeys({ not_after: NOW_SECONDS - 1 }), receiptKey: keys.receiptKey }

  test.each(cases)('%s', async (_, evidence, failed) => {
    const stage = await startStage()
    Object.assign(stage.relay.keys, keys)
    stage.relay.tampering.evidence = evidence
    const trust = { policy: policyFor(keys), roots: [] }
    await expect(stage.buyer.attest(stage.relay.url, trust)).rejects.toMatchObject({
      code: 'relay_not_trusted',
    })
    const { verdict, relay } = await checkRelay({ url: stage.relay.url, trust, clock: testClock() })
    expect(relay).toBeNull()
    expect(verdict.checks.filter(({ result }) => result === 'failed').map(({ name }) => name)).toContain(
      failed,
    )
    expect(stage.relay.outer.every((path) => path === '/evidence')).toBe(true)
  })

  test('where the policy asks for hardware that the software lane has not', async () => {
    const relay = await startRelay(keys)
    const policy = { ...policyFor(keys), minimum_assurance: 'TEE_ATTESTED' }
    const trust = { policy, roots: [] }
    await expect(attestRelay({ url: relay.url, trust, clock: testClock() })).rejects.toMatchObject({
      code: 'reference_value_missing',
    })
    expect(relay.outer).toHaveLength(0)
  })
})

describe('an answer in clear is only a hint:', () => {
  const problem = JSON.stringify({ type: 'https://iana.org/assignments/http-problem-types#ohttp-key' })
  test.each([
    ['a plain 400', 400, 'text/plain', 'refused', 'gateway_refused'],
    ['a 502', 502, 'text/plain', 'refused', 'gateway_refused'],
    ['an unknown key', 400, 'application/problem+json', problem, 'gateway_key_unknown'],
    ['another problem', 400, 'application/problem+json', '{"type":"about:blank"}', 'gateway_refused'],
    ['a problem that is no JSON', 400, 'application/problem+json', '{', 'gateway_refused'],
    ['a redirect', 307, 'text/plain', '', 'relay_unreachable'],
  ])('%s', async (_, status, type, body, code) => {
    const tampering: Tampering = {
      outer: (__, outgoing) => {
        outgoing.writeHead(status, { 'content-type': type, location: '/evidence' }).end(body)
        return true
      },
    }
    await expect(attest(tampering)).rejects.toMatchObject({ code })
  })

  test('an answer over 2 MiB is not read to its end', async () => {
    const tampering: Tampering = {
      outer: (_, outgoing) => {
        outgoing.writeHead(200).end(Buffer.alloc(2 * 1024 * 1024 + 1))
        return true
      },
    }
    await expect(attest(tampering)).rejects.toMatchObject({ code: 'answer_malformed' })
  })

  test('nobody listens', async () => {
    const keys = makeKeys()
    const trust = { policy: policyFor(keys), roots: [] }
    const asked = { url: 'http://127.0.0.1:1', trust, clock: testClock() }
    await expect(attestRelay(asked)).rejects.toMatchObject({ code: 'relay_unreachable' })
  })
})

test('a key configuration that changes after the appraisal opens nothing', async () => {
  const stage = await startStage()
  const begin = await stage.begin(stage.buyer)
  Object.assign(stage.relay.keys, { gateway: generateGatewayKey(7) })
  const created = stage.buyer.create(begin, { contract, invited: [null] })
  await expect(created).rejects.toMatchObject({ code: 'relay_unreachable' })
  expect(stage.relay.inner).toHaveLength(0)
})
