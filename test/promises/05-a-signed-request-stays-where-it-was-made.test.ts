import { exchange, type Identity, type Session } from '@parley/agent'
import {
  COVERED_COMPONENTS,
  type HttpRequest,
  type JsonObject,
  offerDigest,
  type Role,
  signConsent,
  toBase64url,
} from '@parley/protocol'
import { beforeAll, describe, expect, it } from 'vitest'
import { agreed, collectBoth, type Seated, seatBoth, submitBoth } from '../harness/confer.js'
import { CEILING, FLOOR } from '../harness/contracts.js'
import { encapsulate, type Fields, fieldsOf, signedFor, withField } from '../harness/craft.js'
import { codeOf } from '../harness/failure.js'
import { judge } from '../harness/judge.js'
import { fresh, LANES } from '../harness/relay.js'
import { newParty, type OpenStage as Stage, openStage } from '../harness/stage.js'

const INPUT = { input: CEILING, salt: toBase64url(fresh(32)) }

describe.each(LANES)('a signed request of the %s lane', (lane) => {
  let stage: Stage
  let here: Seated
  let there: Seated
  beforeAll(async () => {
    stage = await openStage(lane)
    here = await agreed(stage)
    there = await agreed(stage)
  })

  const pathOf = ({ file }: Session, resource = 'input'): string =>
    `/v1/sessions/${file.record.session_id}/${resource}`
  const offerOf = ({ file }: Session): string =>
    file.record.offer === null ? 'none' : offerDigest(file.record.offer)

  type Moved = {
    readonly session?: Session
    readonly identity?: Identity
    readonly asked?: { readonly path: string; readonly body: JsonObject }
    /** What the signer says otherwise. */
    readonly said?: Partial<Fields>
    /** What happens to the request once it is signed. */
    readonly after?: (request: HttpRequest) => HttpRequest
    readonly components?: readonly string[]
    /** The encapsulated key that it is signed for; by default the one that carries it. */
    readonly enc?: Uint8Array
  }

  /** The relay's verdict on the buyer's input, signed here and moved. */
  const told = async (moved: Moved = {}): Promise<string> => {
    const session = moved.session ?? here.bought
    const fields = { ...(await fieldsOf(session)), ...moved.said }
    const asked = moved.asked ?? { path: pathOf(session), body: INPUT }
    const { identity } = moved.identity === undefined ? stage.buyer : { identity: moved.identity }
    const sealed = encapsulate(session.relay.keyset, (enc) => {
      const request = signedFor(moved.enc ?? enc, identity, asked, fields, moved.components)
      return moved.after?.(request) ?? request
    })
    return codeOf(exchange(session.relay, sealed))
  }

  it('is accepted where it was made: the control', async () => {
    const { bought, sold } = await agreed(stage)
    expect(await told({ session: bought })).toBe('nothing failed')
    expect(await told({ session: bought })).toBe('already_submitted')
    await stage.seller.submit(sold, FLOOR, 0)
  })

  it('cannot be moved to another encapsulation', async () => {
    expect(await told({ enc: fresh(32) })).toBe('http_signature_invalid')
  })

  it('cannot be moved to another session, by its path, its field or both', async () => {
    const path = pathOf(there.bought)
    const session = there.bought.file.record.session_id
    const onPath = (request: HttpRequest): HttpRequest => ({ ...request, path })
    const inField = (request: HttpRequest): HttpRequest => withField(request, 'parley-session', session)
    for (const after of [onPath, inField, (request: HttpRequest) => onPath(inField(request))])
      expect(await told({ after })).toBe('http_signature_invalid')
    // A participant who signs for one session on the path of the other is not understood either.
    expect(await told({ said: { session } })).toBe('request_malformed')
    expect(await told({ asked: { path, body: INPUT } })).toBe('request_malformed')
  })

  it('cannot be moved to another role', async () => {
    const after = (request: HttpRequest): HttpRequest => withField(request, 'parley-role', 'responder')
    expect(await told({ after })).toBe('http_signature_invalid')
    expect(await told({ said: { role: 'responder' } })).toBe('role_refused')
  })

  it('cannot be moved under another offer', async () => {
    const offer = offerOf(there.bought)
    const after = (request: HttpRequest): HttpRequest => withField(request, 'parley-offer', offer)
    expect(await told({ after })).toBe('http_signature_invalid')
    expect(await told({ said: { offer } })).toBe('offer_stale')
    expect(await told({ said: { offer: 'none' } })).toBe('offer_stale')
  })

  it('cannot be made another participant’s', async () => {
    const { identity: seller } = stage.seller
    const { identity: stranger } = newParty()
    const claimed = (request: HttpRequest): HttpRequest => {
      const [[, said] = ['', '']] = request.headers.filter(([name]) => name === 'signature-input')
      return withField(request, 'signature-input', said.replace(stage.buyer.identity.did, seller.did))
    }
    expect(await told({ after: claimed })).toBe('http_signature_invalid')
    expect(await told({ identity: { did: stage.buyer.identity.did, key: stranger.key } })).toBe(
      'http_signature_invalid',
    )
    expect(await told({ identity: seller })).toBe('role_refused')
    expect(await told({ identity: stranger })).toBe('session_unknown')
  })

  const ALTERED: Readonly<Record<string, (request: HttpRequest) => HttpRequest>> = {
    '@method': (request) => ({ ...request, method: 'GET', content: new Uint8Array(0) }),
    '@path': (request) => ({ ...request, path: request.path.replace(/input$/, 'cancel') }),
    '@query': (request) => ({ ...request, path: `${request.path}?` }),
    'content-digest': (request) => ({ ...request, content: Uint8Array.of(...request.content, 32) }),
    date: (request) => withField(request, 'date', new Date(Date.now() - 60_000).toUTCString()),
    'parley-session': (request) => withField(request, 'parley-session', 'none'),
    'parley-role': (request) => withField(request, 'parley-role', 'responder'),
    'parley-seq': (request) => withField(request, 'parley-seq', '999999'),
    'parley-offer': (request) => withField(request, 'parley-offer', 'none'),
    'parley-enc': (request) => withField(request, 'parley-enc', 'a'.repeat(64)),
  }

  it('fails with any component altered after it was signed', async () => {
    expect(Object.keys(ALTERED)).toEqual([...COVERED_COMPONENTS])
    for (const [component, after] of Object.entries(ALTERED)) {
      // Of these two there is no such route, and the signature is not even asked.
      const routed = component !== '@method' && component !== '@query'
      const expected = routed ? 'http_signature_invalid' : 'route_unknown'
      expect([component, await told({ after })]).toEqual([component, expected])
    }
  })

  it('fails with any component left uncovered, or one told twice', async () => {
    for (const component of COVERED_COMPONENTS) {
      const components = COVERED_COMPONENTS.filter((each) => each !== component)
      expect(await told({ components })).toBe('http_signature_invalid')
      const twice = (request: HttpRequest): HttpRequest => {
        const again = request.headers.filter(([name]) => name === component)
        return { ...request, headers: [...request.headers, ...again] }
      }
      if (!component.startsWith('@')) expect(await told({ after: twice })).toBe('http_signature_invalid')
    }
  })

  it('carries a consent that cannot be moved to another offer, role or signer', async () => {
    const { bought } = await seatBoth(stage)
    await stage.buyer.offer(bought, 10_000)
    const { key } = stage.buyer.identity
    const consenting = (session: Session, role: Role, offer_digest: string, by = key): Promise<string> => {
      const body = { consent: signConsent({ lane, role, offer_digest }, by) }
      return told({ session, asked: { path: pathOf(session, 'consent'), body } })
    }
    const own = offerOf(bought)
    expect(await consenting(bought, 'initiator', offerOf(here.bought))).toBe('offer_stale')
    expect(await consenting(bought, 'responder', own)).toBe('consent_invalid')
    expect(await consenting(bought, 'initiator', own, stage.seller.identity.key)).toBe('consent_invalid')
    expect(await consenting(bought, 'initiator', own)).toBe('nothing failed')
  })

  it('that was refused has changed nothing: both sessions end as their participants meant', async () => {
    for (const seated of [here, there]) {
      await submitBoth(stage, seated)
      const [bundle] = await collectBoth(stage, seated)
      expect((await judge(bundle, stage.trust)).trusted).toBe(true)
      expect(bundle.receipt.session_id).toBe(seated.bought.file.record.session_id)
    }
  })
})
