import {
  canonicalBytes,
  type CreateRequest,
  isJsonObject,
  parseContract,
  parseCreateRequest,
  rolesOf,
  toHex,
} from '@parley/protocol'
import { refusePlan } from '../effects/refuse-plan.js'
import { hasRoomForInvites } from '../inbox/has-room-for-invites.js'
import { invitations } from '../inbox/notice.js'
import { verifyClaim } from '../ledger/verify-claim.js'
import type { Agreement } from './agreement.js'
import type { Answer } from './answer.js'
import { deadlineOf } from './end-session.js'
import { type Inbound, readBody, readJson } from './inbound.js'
import { participantKey } from './participant-key.js'
import { orRefuse, refuse, type Refused } from './refuse.js'
import type { Services } from './services.js'
import type { LiveSession } from './session.js'
import { longestMs } from './slots.js'

/** `POST /v1/sessions`: everything about the contract is checked here, before any input is accepted. */
export async function createSession(services: Services, inbound: Inbound): Promise<Answer | Refused> {
  const { caller } = inbound
  const body = readCreateRequest(services, inbound)
  if ('refused' in body) return body
  // Under another name it would still confer with itself.
  if (hasKeyTwice([caller.did, ...body.invited])) return refuse('role_refused')
  // An admission costs most: whoever is refused for anything else is not worth one.
  const no =
    (services.clock.nowSeconds() < lastEnd(services.keys) ? undefined : refuse('keyset_expired')) ??
    verifyClaim(services.keys, body.ledger, { ...caller, nonce: body.nonce }) ??
    services.table.hasRoomFor(caller.did) ??
    services.table.hasRoomForContract(canonicalBytes(body.contract).length)
  if (no !== undefined) return no
  const agreement = services.admit(body.contract)
  if ('refused' in agreement) return agreement
  const denied = refusePlan(services, agreement)
  if (denied !== undefined) return await denied
  const session = newSession(services, inbound, body, agreement)
  if (session.expiresAt <= services.clock.nowSeconds()) return refuse('keyset_expired')
  return (
    services.ledger.check(body.ledger, agreement.admitted.capacity.charge_millibits) ??
    hasRoomForInvites(services, session) ??
    (await opened(services, session))
  )
}

const hasKeyTwice = (dids: readonly (string | null)[]): boolean => {
  const keys = dids.flatMap((did) => (did === null ? [] : [participantKey(did)]))
  return new Set(keys).size < keys.length
}

// All of a creation but its contract: seven DIDs, a nonce, a claim with an entry.
const REQUEST_MORE_BYTES = 16_384

const TOO_LARGE = ['contract_refused', 'contract_too_large'] as const

/** A contract that is too large or not well formed is a refused contract, not a malformed request. */
const readCreateRequest = ({ bundle }: Services, inbound: Inbound): CreateRequest | Refused => {
  const { contract_bytes } = bundle.limits
  // Before anything is read: JSON of small objects takes many times its length in memory.
  if (inbound.request.content.length > contract_bytes + REQUEST_MORE_BYTES) return refuse(...TOO_LARGE)
  const read = readJson(inbound.request)
  if ('refused' in read) return read
  const contract = isJsonObject(read.json) ? read.json['contract'] : undefined
  if (contract === undefined) return readBody(inbound, parseCreateRequest)
  if (canonicalBytes(contract).length > contract_bytes) return refuse(...TOO_LARGE)
  const parsed = orRefuse(
    'contract_refused',
    () => ({ contract: parseContract(contract) }),
    ({ code, message }) => `${code} ${message}`,
  )
  return 'refused' in parsed ? parsed : readBody(inbound, parseCreateRequest)
}

// Whatever ends at its deadline still gets its receipt inside the keyset's window.
const RECEIPT_MARGIN_SECONDS = 60

/** The latest time at which a session may end under these keys, whatever is left to do then. */
const lastEnd = ({ keyset }: Services['keys']): number => keyset.not_after - RECEIPT_MARGIN_SECONDS

const newSession = (
  { clock, random, bundle, keys }: Services,
  { caller }: Inbound,
  { contract, invited, ledger }: CreateRequest,
  agreement: Agreement,
): LiveSession => {
  const { participants, session_ttl_secs, invite_ttl_secs } = contract
  const now = clock.nowSeconds()
  const longest = bundle.limits.session_ttl_seconds
  // A contract may only shorten what the relay allows.
  const { evaluator } = agreement.admitted
  const processing = evaluator === 'cel' ? 0 : Math.ceil(longestMs(bundle.limits) / 1000)
  const expiresAt = Math.min(now + Math.min(longest, session_ttl_secs ?? longest), lastEnd(keys) - processing)
  const deadlineMs = clock.nowMs() + (expiresAt - now) * 1000
  const joinBy = Math.min(expiresAt, now + (invite_ttl_secs ?? longest))
  const joinByMs = Math.min(deadlineMs, clock.nowMs() + (invite_ttl_secs ?? longest) * 1000)
  const empty = { consent: null, submission: null }
  return {
    kind: 'live',
    id: toHex(random(32)),
    state: 'CREATED',
    agreement,
    openJoin: invited.includes(null),
    seats: rolesOf(participants.length).map((role, seat) => ({
      role,
      participantId: participants[seat] ?? '',
      ...(seat === 0 ? { did: caller.did, claim: ledger } : { did: invited[seat - 1] ?? null, claim: null }),
      ...empty,
    })),
    offered: null,
    createdAt: now,
    joinBy,
    expiresAt,
    deadlineMs,
    joinByMs,
    commitFailed: false,
  }
}

const opened = async (services: Services, session: LiveSession): Promise<Answer> => {
  // In the table first, so that requests at once cannot pass the bounds together; nobody knows the id yet.
  const cell = services.table.add(session)
  try {
    const fields = { session_id: session.id, contract_hash: session.agreement.contractHash }
    await services.inbox.posting(invitations(session), (writes) =>
      services.audit.append({ event: 'session.created', fields }, writes),
    )
  } catch (error) {
    services.table.remove(cell.current.id)
    throw error
  }
  services.wakeAt(deadlineOf(session))
  return { status: 201, body: { session_id: session.id, expires_at: session.expiresAt }, mostBytes: 0 }
}
