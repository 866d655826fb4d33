import type { IncomingMessage } from 'node:http'
import { JSON_TYPE, MAX_MESSAGE_BYTES, OHTTP_REQUEST_TYPE, OUTER_PATHS } from '@parley/protocol'
import type { Clock } from '../clock.js'
import type { EvidenceDesk } from '../evidence/evidence-desk.js'
import type { RelayKeys } from '../keys/relay-keys.js'
import type { Log } from '../log.js'
import type { Limits } from '../policy-bundle.js'
import type { Sessions } from '../session/app.js'
import { createEvidenceAnswer, EVIDENCE_REQUEST_BYTES } from './evidence-routes.js'
import { createInnerDesk } from './inner-desk.js'
import { createOhttpDesk } from './ohttp-desk.js'
import { BAD_REQUEST, jsonOuter, NOT_FOUND, type OuterResponse } from './outer-response.js'
import { readBody } from './read-body.js'

/** What the gateway stands on. */
export type GatewayDeps = {
  readonly keys: RelayKeys
  readonly sessions: Pick<Sessions, 'handle'>
  readonly desk: EvidenceDesk
  readonly limits: Limits
  /** The providers that can't be asked, for want of a key. */
  readonly missingSecrets: () => readonly string[]
  readonly clock: Clock
  readonly random: (size: number) => Uint8Array
  readonly log: Log
}

/** Answers what comes in over the wire, in clear. */
export type Gateway = (request: IncomingMessage) => Promise<OuterResponse>

/** The outer routes of SPEC §8 and §10. */
export function createGateway(deps: GatewayDeps): Gateway {
  const { keys, desk, limits, clock } = deps
  const { lane, epoch } = keys.keyset
  const ohttp = createOhttpDesk(keys.gateway, createInnerDesk(deps), deps.random)
  const evidence = createEvidenceAnswer(desk, limits, clock)
  const boot = jsonOuter(200, desk.bootEvidence)
  const health = (): OuterResponse => {
    const missing_secrets = [...deps.missingSecrets()]
    return jsonOuter(200, { lane, epoch, keyset_digest: keys.keysetDigest, missing_secrets })
  }
  return (request) => {
    const { method, url } = request
    if (method === 'GET' && url === OUTER_PATHS.evidence) return Promise.resolve(boot)
    if (method === 'GET' && url === OUTER_PATHS.health) return Promise.resolve(health())
    if (url === OUTER_PATHS.ohttp) return bodyFor(request, OHTTP_REQUEST_TYPE, MAX_MESSAGE_BYTES, ohttp)
    if (url === OUTER_PATHS.evidence) return bodyFor(request, JSON_TYPE, EVIDENCE_REQUEST_BYTES, evidence)
    return Promise.resolve(NOT_FOUND)
  }
}

async function bodyFor(
  request: IncomingMessage,
  type: string,
  limit: number,
  answer: (body: Uint8Array) => Promise<OuterResponse>,
): Promise<OuterResponse> {
  const { method, headers } = request
  const body = await readBody(request, limit)
  const isPlain =
    method === 'POST' && headers['content-type'] === type && headers['content-encoding'] === undefined
  return body !== undefined && isPlain ? answer(body) : BAD_REQUEST
}
