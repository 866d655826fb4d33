import { parseAppraisalPolicy } from '@parley/attestation'
import {
  canonicalBytes,
  encodeResponse,
  type Evidence,
  fieldValues,
  openRequest,
  paddedResponseLength,
  parseRequest,
  responseNonceBytes,
} from '@parley/protocol'
import { examplePolicy } from '../../../../scripts/src/example-policy.js'
import { openEvidenceDesk } from '../../../src/evidence/evidence-desk.js'
import { createReporter } from '../../../src/evidence/reporter.js'
import { makeRelayKeys } from '../../../src/keys/make-relay-keys.js'
import type { RelayKeys } from '../../../src/keys/relay-keys.js'
import type { ProviderToAppraise } from '../../../src/model/attested/attested-provider.js'
import type { Answered, ApiRequest, Send } from '../../../src/model/transport/exchange.js'
import { loadPolicyBundle } from '../../../src/policy-bundle.js'
import { fresh, POLICY_DIRECTORY } from '../../boot.js'
import { testChip } from '../../chip.js'
import { fakeClock } from '../../fake-clock.js'
import type { Heard, Told } from './api-server.js'

export const NOW = 1_800_000_000
const IMAGE = 'aa'.repeat(32)
const BUNDLE = loadPolicyBundle(POLICY_DIRECTORY, 'confidential').hash

/** A model behind real evidence of a simulated chip: it reads only what is sealed to its key. */
export type AttestedDouble = {
  readonly keys: RelayKeys
  readonly evidenceFor: (nonce: string) => Promise<Evidence>
  readonly send: Send
  /** What was sent to it, as the host sees it. */
  readonly seen: ApiRequest[]
}

const answered = (status: number, type: string, body: Uint8Array): Answered => ({
  kind: 'answered',
  status,
  type,
  retryAfter: undefined,
  body,
})

/** What the relay expects of that double. */
export const expectations = async (): Promise<
  Pick<ProviderToAppraise, 'expected' | 'roots' | 'nowSeconds'>
> => {
  const any = { any: 'any chip will do in a test' }
  const hardware = parseAppraisalPolicy({
    ...examplePolicy(),
    products: ['Milan'],
    measurement: { equals: '01'.repeat(48) },
    committed_equals_current: 'require',
    chip_id: any,
  })
  return {
    expected: { hardware, image_digest: IMAGE, policy_bundle_hash: BUNDLE },
    roots: [{ certificate: (await testChip()).rootCertificate, simulated: true }],
    nowSeconds: NOW,
  }
}

export const startAttestedDouble = async (
  answer: (heard: Heard) => Told,
  profile: 'confidential' | 'software' = 'confidential',
): Promise<AttestedDouble> => {
  const bundle = loadPolicyBundle(POLICY_DIRECTORY, profile)
  const keys = makeRelayKeys({ keyId: 7, bundle, image_digest: IMAGE, previous: null, now: NOW }, fresh)
  const clock = fakeClock()
  const collector = profile === 'confidential' ? (await testChip()).collector : null
  const reporter = createReporter(
    { lane: profile, ...keys, collector, random: fresh },
    0,
    clock,
    () => undefined,
  )
  const desk = await openEvidenceDesk(keys, reporter)
  const seen: ApiRequest[] = []
  const inner = (message: Uint8Array): Uint8Array => {
    const opened = openRequest(keys.gateway, message)
    const { method, path, headers, content } = parseRequest(opened.bhttp)
    const told = answer({
      method,
      path,
      headers: Object.fromEntries(headers),
      text: new TextDecoder().decode(content),
    })
    const fields = Object.entries({ 'content-type': 'application/json', ...told.headers })
    const text = typeof told.body === 'string' ? new TextEncoder().encode(told.body) : told.body
    const response = { status: told.status, headers: fields, content: text }
    return opened.sealResponse(
      encodeResponse(response, paddedResponseLength(responseNonceBytes(opened.aead))),
    )
  }
  const send: Send = async (request) => {
    seen.push(request)
    const type = fieldValues(Object.entries(request.headers), 'content-type')[0]
    if (request.path === '/evidence' && type === 'application/json') {
      const { nonce } = JSON.parse(new TextDecoder().decode(request.body)) as { nonce: string }
      return answered(200, 'application/json', canonicalBytes(await desk.evidenceFor(nonce)))
    }
    if (request.path === '/ohttp' && type === 'message/ohttp-req')
      return answered(200, 'message/ohttp-res', inner(request.body))
    return answered(404, 'text/plain', new Uint8Array(0))
  }
  return { keys, evidenceFor: desk.evidenceFor, send, seen }
}
