import { join } from 'node:path'
import { RelayRefusal, exchange } from '@parley/agent'
import { contractHash, type JsonObject, type Lane } from '@parley/protocol'
import { beforeAll, describe, expect, it } from 'vitest'
import { sawPlaintext } from '../../scripts/src/demo/plaintext-search.js'
import { freshFolder } from '../harness/cleanup.js'
import { agreed, collectBoth, confer } from '../harness/confer.js'
import { NEGOTIATION, NOTES } from '../harness/contracts.js'
import { encapsulate, fieldsOf, signedFor } from '../harness/craft.js'
import { hostBytes } from '../harness/host-bytes.js'
import { failedChecks, judge } from '../harness/judge.js'
import { FILE_HASH, type LocalModel, MODELLED, startLocalModel } from '../harness/local-model.js'
import { LANES } from '../harness/relay.js'
import { prepareRelay, type RelayProcess, startRelayProcess } from '../harness/relay-process.js'
import { bytesIn } from '../harness/search.js'
import { type OpenStage, openStage, type Stage, stageBefore } from '../harness/stage.js'

/** What must be nowhere. Each input has one, of letters that JSON escapes, of letters that it does not, of digits. */
const CANARIES = {
  found: 'canary-1 "quoted" \\ and\ttabbed',
  failed: 'canary-2-näïve-失敗',
  refused: 'canary-3-a-draft-that-never-leaves',
  responder: 'canary-4-word',
  unknown: 'canary-5-member',
  malformed: 'canary-6-no-json',
  path: 'canary7path',
  header: 'canary-8-header',
  outer: 'canary-9-in-clear',
  ceiling: '987654321987',
  floor: '123456789123',
}

/** What is said under the seal or stands in results, and is no input: the software lane may keep it in plain. */
const wordsOf = ({ buyer, seller }: Stage, sessionId: string): string[] => [
  sessionId,
  buyer.identity.did,
  seller.identity.did,
  contractHash(NOTES),
  'price-limit',
  'EVALUATION_FAILED',
  'parley-bundle-v1',
  'initiator.note.contains',
]

describe.each(LANES)('a relay of the %s lane', (lane) => {
  let folder: string
  let relay: RelayProcess
  let stage: Stage
  let sessionId: string
  beforeAll(async () => {
    folder = freshFolder()
    prepareRelay(folder)
    relay = await startRelayProcess(lane, folder)
    stage = await stageBefore(relay)
    await refusals()
    for (const [how, note] of [
      ['LOOK', CANARIES.found],
      ['FAIL', CANARIES.failed],
      ['TELL', CANARIES.refused],
    ] as const) {
      const [bundle] = await confer(stage, [{ note, how }, { word: CANARIES.responder }], NOTES)
      sessionId = bundle.receipt.session_id
      ends.push(bundle.receipt.outcome.abort_class ?? bundle.receipt.outcome.status)
    }
    const prices = [
      { ceiling: Number(CANARIES.ceiling), currency: 'EUR' },
      { floor: Number(CANARIES.floor), currency: 'EUR' },
    ] as const
    await confer(stage, prices, NEGOTIATION)
    await relay.stop()
  })
  const ends: string[] = []
  const refused: string[] = []

  /** Inputs that are refused, requests that are none, and whatever is said in clear. */
  const refusals = async (): Promise<void> => {
    const seated = await agreed(stage, NOTES)
    const { bought } = seated
    const told = async (
      body: JsonObject,
      more: { path?: string; header?: string; content?: string } = {},
    ): Promise<void> => {
      const fields = await fieldsOf(bought)
      const path = `/v1/sessions/${fields.session}/${more.path ?? 'input'}`
      const sealed = encapsulate(bought.relay.keyset, (enc) => {
        const request = signedFor(enc, stage.buyer.identity, { path, body }, fields)
        const headers = more.header === undefined ? [] : [['x-note', more.header] as const]
        const content = more.content === undefined ? request.content : new TextEncoder().encode(more.content)
        return { ...request, content, headers: [...request.headers, ...headers] }
      })
      const error = await exchange(bought.relay, sealed).catch((failure: unknown) => failure)
      refused.push(error instanceof RelayRefusal ? error.code : 'accepted')
    }
    const salt = 'A'.repeat(43)
    await told({ input: { note: 'x', how: 'LOOK', [CANARIES.unknown]: CANARIES.unknown }, salt })
    await told({ input: { note: 7, how: CANARIES.unknown }, salt })
    await told({ input: { note: CANARIES.unknown.repeat(30), how: 'LOOK' }, salt })
    await told({ input: 'x', salt, [CANARIES.unknown]: CANARIES.unknown })
    await told({}, { content: `{"input": ${CANARIES.malformed}` })
    await told({}, { path: CANARIES.path })
    await told({ input: CANARIES.header, salt }, { header: CANARIES.header })
    await fetch(`${relay.url}/${CANARIES.outer}`, { headers: { 'x-note': CANARIES.outer } })
    await fetch(`${relay.url}/ohttp`, { method: 'POST', body: CANARIES.outer })
    await fetch(`${relay.url}/evidence`, { method: 'POST', body: JSON.stringify({ nonce: CANARIES.outer }) })
    await stage.buyer.submit(bought, { note: CANARIES.found, how: 'LOOK' }, 0)
    await stage.seller.submit(seated.sold, { word: CANARIES.responder }, 0)
    await collectBoth(stage, seated)
  }

  it('met every canary on a way of its own', () => {
    expect(refused).toEqual([
      'input_refused',
      'input_refused',
      'input_refused',
      'request_malformed',
      'http_signature_invalid',
      'route_unknown',
      'input_refused',
    ])
    expect(ends).toEqual(['COMPLETED', 'EVALUATION_FAILED', 'OUTPUT_REFUSED'])
  })

  it('logs nothing of them, nor prints it', () => {
    const output = relay.output()
    expect(
      output.split('\n').filter((line) => line.includes('"event":"session_ended"')).length,
    ).toBeGreaterThan(4)
    expect(sawPlaintext(Buffer.from(output), Object.values(CANARIES))).toBe(false)
  })

  it('logs nothing but the closed list of events, each with its own members', () => {
    const members: Readonly<Record<string, string>> = {
      relay_started: 'epoch,event,keyset_digest,url',
      request: 'event,status_class,tick',
      refused: 'code,event,tick',
      session_ended: 'event,tick',
      relay_stopped: 'event',
    }
    for (const line of relay.output().trim().split('\n')) {
      const event = JSON.parse(line) as Record<string, unknown>
      expect(Object.keys(event).sort().join()).toBe(members[String(event['event'])])
    }
  })

  it('leaves nothing of them on its disk, however it is spelt', () => {
    expect(sawPlaintext(bytesIn(join(folder, 'store')), Object.values(CANARIES))).toBe(false)
  })

  const readable: Readonly<Record<Lane, string>> = {
    confidential: 'leaves nothing of the session readable on its disk',
    software: 'keeps all that is no input in plain, so that the search of its disk can find',
  }
  it(readable[lane], () => {
    const disk = bytesIn(join(folder, 'store'))
    expect(disk.length).toBeGreaterThan(50_000)
    const seen = wordsOf(stage, sessionId).map((word) => [word, sawPlaintext(disk, [word])])
    expect(seen).toEqual(wordsOf(stage, sessionId).map((word) => [word, lane === 'software']))
  })

  it('let nothing of them pass its host in plain, but what was said in clear to begin with', () => {
    const passed = hostBytes(stage.host)
    expect(passed.length).toBeGreaterThan(100_000)
    expect(sawPlaintext(passed, Object.values(CANARIES))).toBe(false)
  })

  it('would have been caught with any of them in its log', () => {
    for (const canary of Object.values(CANARIES)) {
      const line = JSON.stringify({ event: 'refused', detail: `/input/${canary}` })
      expect([canary, sawPlaintext(Buffer.from(line), [canary])]).toEqual([canary, true])
    }
  })
})

/** What a model was told and what it said beyond its output. */
const MODEL_CANARIES = ['canary-a-note-of-the-first', 'canary-b-note-of-the-second', 'canary-c-of-the-model']

describe.each(LANES)('a relay of the %s lane that asks a model', (lane) => {
  let stage: OpenStage
  let model: LocalModel
  const ends: string[] = []
  beforeAll(async () => {
    const said = ['{"word":"YES"}', `{"word":"${MODEL_CANARIES[2]}"}`, MODEL_CANARIES[2] ?? '']
    model = await startLocalModel(() => said[model.heard.length - 1] ?? '')
    stage = await openStage(lane, { models: model, limits: { model_slot_ms: 8000 } })
    while (ends.length < said.length) {
      const notes = [{ note: MODEL_CANARIES[0] ?? '' }, { note: MODEL_CANARIES[1] ?? '' }] as const
      const [bundle] = await confer(stage, notes, MODELLED)
      const verdict = await judge(bundle, stage.trust)
      expect(failedChecks(verdict)).toEqual([])
      expect(verdict.trusted).toBe(true)
      expect(bundle.receipt).toMatchObject({ model_returned: null, model_file_hash: FILE_HASH })
      ends.push(bundle.receipt.outcome.abort_class ?? bundle.receipt.outcome.status)
    }
    await stage.relay.close()
  })

  it('told it both inputs, and let out what schema and policy allow', () => {
    expect(model.heard).toHaveLength(3)
    for (const asked of model.heard)
      for (const canary of MODEL_CANARIES.slice(0, 2)) expect(asked).toContain(canary)
    expect(ends).toEqual(['COMPLETED', 'OUTPUT_REFUSED', 'OUTPUT_REFUSED'])
  })

  it('has nothing of the inputs, nor of what the model said besides, in its log, on its disk or before its host', () => {
    expect(stage.relay.lines.length).toBeGreaterThan(10)
    expect(sawPlaintext(Buffer.from(stage.relay.lines.join('\n')), MODEL_CANARIES)).toBe(false)
    expect(sawPlaintext(bytesIn(stage.relay.store), MODEL_CANARIES)).toBe(false)
    expect(sawPlaintext(hostBytes(stage.host), MODEL_CANARIES)).toBe(false)
  })
})
