import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { exchange, RelayRefusal } from '@parley/agent'
import { type Limits, loadPolicyBundle, parseRelayConfig } from '@parley/enclave'
import { parseConfig } from '@parley/host-proxy'
import {
  canonicalBytes,
  contractHash,
  type HttpRequest,
  type JsonObject,
  type JsonValue,
  NO_ARTEFACTS,
  label,
  type Lane,
  offerDigest,
  parseAccepted,
  parseCreated,
  parseEd25519PublicKey,
  parseOffered,
  parseResult,
  type Purpose,
  PURPOSES,
  REFUSALS,
  type RefusalCode,
  signConsent,
  signLedgerClaim,
  generateSigningKey,
  receiptCore,
  signObject,
  signRefusal,
  toBase64url,
  verifyReceipt,
  verifyRefusal,
} from '@parley/protocol'
import { parseVerifierPolicy } from '@parley/verifier'
import { beforeAll, describe, expect, it } from 'vitest'
import { freshFolder } from '../harness/cleanup.js'
import { agreed, collectBoth, submitBoth } from '../harness/confer.js'
import { CEILING, NEGOTIATION, TRICKY } from '../harness/contracts.js'
import { encapsulate, fieldsOf, signedFor, withField } from '../harness/craft.js'
import { codeOf, codeThrown } from '../harness/failure.js'
import { judge, judgeBytes } from '../harness/judge.js'
import { type Mutation, withOtherWords, withoutMembers, withUnknownMembers } from '../harness/mutations.js'
import { theProcessor } from '../harness/processor.js'
import { built, runProgram } from '../harness/program.js'
import { type RealBundle, realBundle } from '../harness/real-bundle.js'
import { fresh, LANES, POLICY_DIRECTORY } from '../harness/relay.js'
import { type OpenStage, openStage } from '../harness/stage.js'

let held: Promise<RealBundle> | undefined
/** One session for all that needs a bundle and changes nothing of the relay. */
const confidential = (): Promise<RealBundle> => (held ??= realBundle('confidential'))

// Here JSON is free, or a schema's own: a digest covers it, and whatever is not as it was is a mismatch.
const COVERED_BY_DIGEST =
  /^\/(?:contract\/(?:metadata|output_schema|input_schemas)|guardian_policy|openings\/output\/output|openings\/inputs\/\d\/input)(?:\/|$)/

describe.each(LANES)('the bundle of a real session in the %s lane', (lane) => {
  let real: RealBundle
  beforeAll(async () => {
    real = lane === 'confidential' ? await confidential() : await realBundle(lane)
  })

  const check = async (mutations: readonly Mutation[]): Promise<void> => {
    expect(mutations.length).toBeGreaterThan(0)
    for (const { at, value } of mutations) {
      const verdict = await judgeBytes(canonicalBytes(value), real.trust)
      const expected = COVERED_BY_DIGEST.test(at) ? [4, 5] : [5]
      expect([at, verdict.trusted, expected.includes(verdict.exit_code)]).toEqual([at, false, true])
    }
  }

  it('is trusted as it is: the control', async () => {
    expect((await judge(real.bundle, real.trust)).trusted).toBe(true)
  })

  it('is refused with an unknown member in any of its objects, at any level', async () => {
    await check(withUnknownMembers(real.bundle))
  })

  it('is refused without any of its members, at any level', async () => {
    const required = withoutMembers(real.bundle as JsonObject).filter(({ at }) => !OPTIONAL.test(at))
    expect(required.length).toBeGreaterThan(150)
    await check(required)
  })

  // A contract's later members may be absent, and so may the figures of a ledger entry; then it is another one.
  const OPTIONAL =
    /^\/(?:contract\/(?:enforcement_policy_hash|output_schema_hash|entropy_enforcement|evaluator|program|program_hash|input_schemas)|openings\/ledger\/\d\/after\/pair)$/

  it('is refused without a member that a contract or an entry may lack, since that is another one', async () => {
    const optional = withoutMembers(real.bundle as JsonObject).filter(({ at }) => OPTIONAL.test(at))
    expect(optional).toHaveLength(8)
    for (const { at, value } of optional)
      expect([at, (await judgeBytes(canonicalBytes(value), real.trust)).exit_code]).toEqual([at, 4])
  })

  const CODES = [
    'version',
    'lane',
    'platform',
    'profile',
    'assurance_level',
    'evaluator',
    'egress_channel',
    'status',
    'abort_class',
    'kind',
    'event',
    'role',
    'time_source',
    'language',
    'entropy_enforcement',
    'algorithm',
  ]
  it.each(['parley-v2', '', 'CONFIDENTIAL'])(
    'is refused with the word %j for any version, lane or code',
    async (word) => {
      const mutations = withOtherWords(real.bundle as JsonObject, CODES, word).filter(
        ({ at }) => !/release\/version|relay\/version/.test(at),
      )
      expect(mutations.length).toBeGreaterThan(25)
      await check(mutations)
    },
  )
})

describe.each(LANES)('a request of the %s lane', (lane) => {
  let stage: OpenStage
  beforeAll(async () => {
    stage = await openStage(lane)
  })

  type Asked = { readonly path: string; readonly body: JsonObject }
  const told = async (
    session: Parameters<typeof fieldsOf>[0] | null,
    asked: Asked,
    after: (request: HttpRequest) => HttpRequest = (request) => request,
  ): Promise<string> => {
    const { relay } = await stage.begin(stage.buyer)
    const fields =
      session === null
        ? ({ session: 'none', role: 'initiator', seq: '0', offer: 'none' } as const)
        : await fieldsOf(session)
    const sealed = encapsulate(relay.keyset, (enc) =>
      after(signedFor(enc, stage.buyer.identity, asked, fields)),
    )
    return codeOf(exchange(relay, sealed))
  }
  const claimOf = (nonce: string): JsonObject => {
    const { did, key } = stage.buyer.identity
    const unsigned = {
      version: 'parley-ledger-claim-v1' as const,
      owner: did,
      tag: 'unknown',
      limit_millibits: 1_000_000,
      head: null,
      nonce,
    }
    return signLedgerClaim(lane, unsigned, key)
  }

  /** The refusals of every mutation, which must each be one of these. */
  const refusedEach = async (
    body: JsonObject,
    ask: (body: JsonObject) => Promise<string>,
    codes: readonly RefusalCode[],
    free = /^$/,
  ): Promise<void> => {
    const mutations = [...withUnknownMembers(body), ...withoutMembers(body)].filter(
      ({ at }) => !free.test(at),
    )
    for (const { at, value } of mutations) {
      const code = await ask(value as JsonObject)
      expect([at, code, (codes as readonly string[]).includes(code)]).toEqual([at, code, true])
    }
  }

  it('to create a session is refused with a member too many or too few, and accepted as it is', async () => {
    const nonce = toBase64url(fresh(32))
    const body = {
      contract: TRICKY as JsonObject,
      ledger: claimOf(nonce),
      nonce,
      invited: [stage.seller.identity.did],
    }
    const create = (changed: JsonObject): Promise<string> =>
      told(null, { path: '/v1/sessions', body: changed })
    // Metadata is free; what a contract may lack, it may lack; and annotations of a schema may say anything.
    const free =
      /^\/contract\/(?:metadata|input_schemas$|output_schema_hash|program_hash|entropy_enforcement)|\/properties\/(?:zz_unknown|n|word)|\/(?:required|minimum)$/
    await refusedEach(body, create, ['request_malformed', 'contract_refused'], free)
    expect(await create(body)).toBe('nothing failed')
  })

  it('to join, consent, submit or cancel is refused with a member too many or too few', async () => {
    const { bought, sold } = await agreed(stage)
    const { session_id, offer } = bought.file.record
    if (offer === null) throw new Error('no offer')
    const at = (resource: string) => (body: JsonObject) =>
      told(bought, { path: `/v1/sessions/${session_id}/${resource}`, body })
    const nonce = toBase64url(fresh(32))
    const codes: readonly RefusalCode[] = ['request_malformed']
    await refusedEach(
      { contract_hash: contractHash(NEGOTIATION), ledger: claimOf(nonce), nonce },
      at('join'),
      codes,
    )
    const consent: JsonObject = signConsent(
      { lane, role: 'initiator', offer_digest: offerDigest(offer) },
      stage.buyer.identity.key,
    )
    await refusedEach({ consent }, at('consent'), codes)
    const free = /^\/input\//
    await refusedEach({ input: CEILING, salt: toBase64url(fresh(32)) }, at('input'), codes, free)
    await refusedEach({ input: CEILING, salt: toBase64url(fresh(32)) }, at('input'), [
      'request_malformed',
      'input_refused',
    ])
    expect(await at('cancel')({ zz_unknown: null })).toBe('request_malformed')
    await submitBoth(stage, { bought, sold })
    expect((await judge((await collectBoth(stage, { bought, sold }))[0], stage.trust)).trusted).toBe(true)
  })

  it('with another version, lane or code in its body is refused', async () => {
    const { bought } = await agreed(stage)
    const { session_id, offer } = bought.file.record
    if (offer === null) throw new Error('no offer')
    const consent = signConsent(
      { lane, role: 'initiator', offer_digest: offerDigest(offer) },
      stage.buyer.identity.key,
    )
    const path = `/v1/sessions/${session_id}/consent`
    for (const { value } of withOtherWords({ consent }, ['version', 'lane', 'role'], 'parley-v2'))
      expect(await told(bought, { path, body: value as JsonObject })).toBe('request_malformed')
    const other = LANES.find((each) => each !== lane) ?? lane
    const crossed = signConsent(
      { lane: other, role: 'initiator', offer_digest: offerDigest(offer) },
      stage.buyer.identity.key,
    )
    expect(await told(bought, { path, body: { consent: crossed } })).toBe('consent_invalid')
  })

  it('with another label, tag or algorithm of its signature, or an unknown route, is refused', async () => {
    const { bought } = await agreed(stage)
    const asked = { path: `/v1/sessions/${bought.file.record.session_id}/cancel`, body: {} }
    const input = ({ headers }: HttpRequest): string =>
      headers.find(([name]) => name === 'signature-input')?.[1] ?? ''
    const saying =
      (from: RegExp, to: string) =>
      (request: HttpRequest): HttpRequest =>
        withField(request, 'signature-input', input(request).replace(from, to))
    for (const after of [
      saying(/^parley=/, 'sig1='),
      saying(/parley-v1/, 'parley-v2'),
      saying(/;tag=/, ';alg="ed25519";tag='),
      saying(/;tag=/, ';nonce="x";tag='),
    ])
      expect(await told(bought, asked, after)).toBe('http_signature_invalid')
    for (const path of ['/v1/sessions/x/cancel', '/v2/sessions', '/', asked.path.replace('cancel', 'delete')])
      expect(await told(bought, { ...asked, path })).toBe('route_unknown')
    expect(await told(bought, asked)).toBe('nothing failed')
  })

  it('in clear is refused with anything but its one form', async () => {
    const nonce = toBase64url(fresh(32))
    const post = async (body: string, type = 'application/json'): Promise<number> =>
      (
        await fetch(`${stage.relay.url}/evidence`, {
          method: 'POST',
          headers: { 'content-type': type },
          body,
        })
      ).status
    expect(await post(JSON.stringify({ nonce }))).toBe(200)
    for (const body of [
      JSON.stringify({ nonce, zz: 1 }),
      '{}',
      JSON.stringify({ nonce: nonce.slice(1) }),
      `{"nonce": "${nonce}"}`,
      '[]',
    ])
      expect(await post(body)).toBe(400)
    expect(await post(JSON.stringify({ nonce }), 'text/json')).toBe(400)
  })
})

describe('an answer', () => {
  const refusedBy = (parse: (value: JsonValue) => unknown, valid: JsonObject, free = /^$/): void => {
    expect(codeThrown(() => parse(valid))).toBe('nothing failed')
    const mutations = [...withUnknownMembers(valid), ...withoutMembers(valid)].filter(
      ({ at }) => !free.test(at),
    )
    for (const { at, value } of mutations)
      expect([at, codeThrown(() => parse(value))]).toEqual([at, 'object_malformed'])
  }

  it('with a member too many or too few is refused by the participant', () => {
    refusedBy(parseCreated, { session_id: 'a'.repeat(64), expires_at: 1 })
    refusedBy(parseAccepted, { state: 'CREATED', input_commitment: null })
    refusedBy(
      parseOffered,
      { state: 'CREATED', contract: {}, artefacts: { ...NO_ARTEFACTS }, offer: null, ledger_entry: null },
      /^\/contract\//,
    )
    refusedBy(parseResult, { state: 'CREATED', bundle: null })
    for (const state of ['created', 'DONE', ''])
      expect(codeThrown(() => parseAccepted({ state, input_commitment: null }))).toBe('object_malformed')
  })

  it('that says no in an unknown code, version or lane says nothing', () => {
    const key = generateSigningKey()
    const publicKey = parseEd25519PublicKey(key.publicKey)
    const refusal = (code: string): JsonObject =>
      signRefusal(
        {
          lane: 'software',
          keyset_digest: 'a'.repeat(64),
          encapsulation: 'b'.repeat(64),
          code: code as RefusalCode,
          detail: null,
        },
        key,
      )
    for (const code of Object.keys(REFUSALS)) expect(verifyRefusal(refusal(code), publicKey).code).toBe(code)
    for (const code of ['unknown', 'REQUEST_MALFORMED', ''])
      expect(codeThrown(() => verifyRefusal(refusal(code), publicKey))).toBe('object_malformed')
    refusedBy((value) => verifyRefusal(value, publicKey), refusal('relay_failed'))
    expect(new RelayRefusal(verifyRefusal(refusal('relay_failed'), publicKey)).code).toBe('relay_failed')
  })
})

describe('a report of an unknown version', () => {
  it.each([0, 1, 6, 2 ** 31])('%i is refused, though a chip signed it', async (version) => {
    const { bundle, trust } = await confidential()
    const report = toBase64url((await theProcessor()).attest({ version }))
    const { hardware } = bundle.evidence.binding
    const binding = { ...bundle.evidence.binding, hardware: hardware && { ...hardware, report } }
    const verdict = await judge({ ...bundle, evidence: { ...bundle.evidence, binding } }, trust)
    expect([verdict.trusted, verdict.exit_code]).toEqual([false, 5])
    const failed = verdict.checks.find(({ name }) => name === 'hardware_genuine')
    expect(failed?.code).toMatch(/^report_(?:version_unsupported|malformed)$/)
  })
})

describe('a label', () => {
  it('of another purpose or lane signs nothing, though every byte under it is right', async () => {
    const key = generateSigningKey()
    const core = receiptCore((await confidential()).bundle.receipt)
    const signedUnder = (lane: Lane, purpose: Purpose): string => {
      const signature = signObject(label(lane, purpose), core, key)
      return codeThrown(() => {
        verifyReceipt({ ...core, signature }, key.publicKey)
      })
    }
    expect(signedUnder('confidential', 'receipt')).toBe('nothing failed')
    for (const lane of LANES)
      for (const purpose of PURPOSES)
        if (lane !== 'confidential' || purpose !== 'receipt')
          expect([lane, purpose, signedUnder(lane, purpose)]).toEqual([lane, purpose, 'signature_invalid'])
  })
})

describe('what an operator or a verifier is configured with', () => {
  let policy: JsonObject
  beforeAll(async () => {
    policy = (await confidential()).trust.policy as JsonObject
  })

  it('a verifier’s policy without any of its reference values is an error, at every level', () => {
    expect(codeThrown(() => parseVerifierPolicy(policy))).toBe('nothing failed')
    // What is said of a product line that is not expected is no expectation.
    expect((policy['hardware'] as JsonObject)['products']).toEqual(['Milan'])
    const mutations = withoutMembers(policy).filter(({ at }) => !/\/(?:Genoa|Turin)$/.test(at))
    expect(mutations.length).toBeGreaterThan(50)
    const codes = mutations.map(
      ({ at, value }) => [at, codeThrown(() => parseVerifierPolicy(value))] as const,
    )
    for (const [at, code] of codes) {
      // What a value consists of makes it no value at all: an error of either kind.
      const isWhole = /^\/(?:hardware\/|relay\/)?[^/]+$/.test(at)
      const expected = isWhole
        ? /^reference_value_missing$/
        : /^(?:reference_value_missing|policy_malformed)$/
      expect([at, code]).toEqual([at, expect.stringMatching(expected)])
    }
  })

  it('a verifier’s policy with an unknown member is an error, at every level', () => {
    for (const { at, value } of withUnknownMembers(policy))
      expect([at, codeThrown(() => parseVerifierPolicy(value))]).toEqual([at, 'policy_malformed'])
  })

  it('a policy file without a reference value ends parley-verify with 1, before anything is judged', async () => {
    const file = join(freshFolder(), 'policy.json')
    const { relay: _, ...rest } = policy
    writeFileSync(file, JSON.stringify(rest))
    const { code, out, err } = await runProgram([
      built('verifier/bin/parley-verify.js'),
      'bundle',
      file,
      '--policy',
      file,
    ])
    expect([code, out]).toEqual([1, ''])
    expect(err).toContain('reference_value_missing')
  })

  it('a relay’s or a proxy’s configuration with a member too many or too few is an error', () => {
    const relay = {
      listen: { host: '127.0.0.1', port: 0 },
      proxy: null,
      advertise_url: null,
      store_directory: 's',
      policy_directory: 'p',
      image_digest: null,
    }
    expect(codeThrown(() => parseRelayConfig(relay, 'software', '/x'))).toBe('nothing failed')
    for (const { at, value } of [...withUnknownMembers(relay), ...withoutMembers(relay)])
      expect([at, codeThrown(() => parseRelayConfig(value, 'software', '/x'))]).toEqual([
        at,
        'config_malformed',
      ])
    const free = { host: '127.0.0.1', port: 0 }
    const proxy = { listen: free, control: free, log: null, limits: {} }
    expect(() => parseConfig(JSON.stringify(proxy))).not.toThrow()
    for (const { value } of [...withUnknownMembers(proxy), ...withoutMembers(proxy)])
      expect(() => parseConfig(JSON.stringify(value))).toThrow()
  })

  it('a policy bundle with an unknown file, member, rule or surface is an error', () => {
    const edited = (edit: (folder: string) => void): string => {
      const folder = freshFolder()
      cpSync(POLICY_DIRECTORY, folder, { recursive: true })
      edit(folder)
      return codeThrown(() => loadPolicyBundle(folder, 'confidential'))
    }
    const changing =
      (name: string, change: (object: JsonObject) => JsonObject) =>
      (folder: string): void => {
        const file = join(folder, name)
        writeFileSync(file, JSON.stringify(change(JSON.parse(readFileSync(file, 'utf8')) as JsonObject)))
      }
    expect(edited(() => undefined)).toBe('nothing failed')
    expect(
      edited((folder) => {
        writeFileSync(join(folder, 'extra.json'), '{}')
      }),
    ).toBe('policy_malformed')
    const limits = JSON.parse(readFileSync(join(POLICY_DIRECTORY, 'limits.json'), 'utf8')) as Limits
    for (const { value } of [...withUnknownMembers(limits), ...withoutMembers(limits)])
      expect(edited(changing('limits.json', () => value as JsonObject))).toBe('policy_malformed')
    const admission = 'registry-admission.json'
    expect(edited(changing(admission, (object) => ({ ...object, zz: 1 })))).toBe('policy_malformed')
    expect(edited(changing(admission, (object) => ({ ...object, registry_root: '00'.repeat(32) })))).toBe(
      'policy_malformed',
    )
    const profile = 'profiles/confidential.json'
    expect(
      edited(changing(profile, (object) => ({ ...object, surfaces: ['hardware-evidence', 'mind-reading'] }))),
    ).toBe('surface_missing')
  })
})
