import {
  type Bundle,
  contractHash,
  type InboxEvent,
  type JsonObject,
  type JsonValue,
  ledgerHead,
  NO_ARTEFACTS,
  type Offer,
  parseConsentRequest,
  parseCreateRequest,
  parseDeclineRequest,
  parseInputRequest,
  parseJoinRequest,
  commitInput,
  type RefusalCode,
  type Role,
  seatOfRole,
  signOffer,
} from '@parley/protocol'
import { bundleOf } from './bundle.js'
import { type DoubleKeys, NOW_SECONDS } from './keys.js'
import { type DoubleSeat, headOf } from './seat.js'
import { admitted, contract } from './terms.js'

/** How a double departs from what a relay should do. */
export type Faults = {
  offer?: (offer: Offer) => Partial<Offer>
  offeredEntry?: (seats: readonly DoubleSeat[]) => JsonValue
  offeredContract?: JsonValue
  bundle?: (bundle: Bundle) => JsonObject
  commitment?: string
  hardwareAfter?: number
}

/** One inner request, opened and verified. */
export type Inner = {
  readonly method: string
  readonly path: string
  readonly role: Role
  readonly did: string
  readonly seq: number
  readonly body: JsonValue
  readonly encapsulation: string
}

export const SESSION_ID = '5e'.repeat(32)

/** What is answered: a body, or a refusal's code. */
export type Answered = JsonObject | RefusalCode

/** A session of two as a relay keeps it, honest but for its faults. */
export class DoubleSession {
  seats: Partial<Record<Role, DoubleSeat>> = {}
  readonly #keys: DoubleKeys
  readonly #faults: Faults
  /** What the inbox of each DID holds. */
  readonly events = new Map<string, readonly InboxEvent[]>()
  declined: string | null = null
  #open = false
  #invited: string | null = null
  #results = 0

  constructor(keys: DoubleKeys, faults: Faults) {
    this.#keys = keys
    this.#faults = faults
  }

  answer(inner: Inner): Answered {
    switch (inner.path.replace(SESSION_ID, 'ID')) {
      case '/v1/sessions':
        return inner.method === 'POST' ? this.#create(inner) : this.#list(inner)
      case '/v1/invites':
        return this.#invites(inner)
      case '/v1/sessions/ID/decline':
        return this.#decline(inner)
      case '/v1/sessions/ID/join':
        return this.#join(inner)
      case '/v1/sessions/ID/offer':
        return this.#offered(inner)
      case '/v1/sessions/ID/consent':
        return this.#consent(inner)
      case '/v1/sessions/ID/input':
        return this.#input(inner)
      case '/v1/sessions/ID/cancel':
        return { state: 'ABORTED', input_commitment: null }
      case '/v1/sessions/ID/result':
        return this.#result(inner)
      default:
        return inner.path.startsWith('/v1/inbox/') ? this.#news(inner) : 'route_unknown'
    }
  }

  #create({ did, body }: Inner): Answered {
    const { ledger, nonce, invited } = parseCreateRequest(body)
    this.#open = invited.includes(null)
    this.#invited = invited[0] ?? null
    this.seats.initiator = { role: 'initiator', did, nonce, head: headOf(this.#keys, ledger) }
    return { session_id: SESSION_ID, expires_at: NOW_SECONDS + 600 }
  }

  #join(inner: Inner): Answered {
    const { ledger, nonce, contract_hash } = parseJoinRequest(inner.body)
    if (contract_hash !== contractHash(contract)) return 'contract_mismatch'
    this.seats.responder = { role: 'responder', did: inner.did, nonce, head: headOf(this.#keys, ledger) }
    return this.#offered(inner)
  }

  #offered({ role }: Inner): Answered {
    const { initiator, responder } = this.seats
    const { offeredContract = contract, offeredEntry } = this.#faults
    if (!initiator || !responder)
      return {
        state: 'CREATED',
        contract: offeredContract,
        artefacts: NO_ARTEFACTS,
        offer: null,
        ledger_entry: null,
      }
    const own = role === 'initiator' ? initiator : responder
    const ledger_entry = offeredEntry === undefined ? own.head : offeredEntry([initiator, responder])
    return {
      state: 'CREATED',
      contract: offeredContract,
      artefacts: NO_ARTEFACTS,
      offer: this.offer(),
      ledger_entry,
    }
  }

  /** The offer of this session; its signature covers what a fault made of it. */
  offer(): Offer {
    const { initiator, responder } = this.seats
    if (!initiator || !responder) throw new Error('nobody has joined')
    const charge = ({ role, head }: DoubleSeat) => ({
      role,
      head: ledgerHead(head),
      charge_millibits: admitted.capacity.charge_millibits,
    })
    const party = ({ role, did, nonce }: DoubleSeat) => ({
      role,
      participant_id: contract.participants[seatOfRole(role)] ?? '',
      did,
      nonce,
    })
    const { keyset, keysetDigest, receiptKey } = this.#keys
    const honest: Offer = {
      version: 'parley-offer-v1',
      lane: keyset.lane,
      session_id: SESSION_ID,
      contract_hash: contractHash(contract),
      output_schema_hash: admitted.output_schema_hash,
      evaluator: 'cel',
      program_hash: admitted.program_hash,
      prompt_program_hash: null,
      model_profile_hash: null,
      guardian_policy_hash: admitted.guardian_policy_hash,
      provider_account: null,
      egress_channel: 'none',
      capacity: admitted.capacity,
      participants: [party(initiator), party(responder)],
      open_join: this.#open,
      policy_bundle_hash: keyset.release.policy_bundle_hash,
      profile_hash: keyset.release.profile_hash,
      ledger: [charge(initiator), charge(responder)],
      release_bytes: 16_384,
      keyset_digest: keysetDigest,
      created_at: NOW_SECONDS,
      expires_at: NOW_SECONDS + 600,
      signature: '',
    }
    const { signature, ...unsigned } = { ...honest, ...this.#faults.offer?.(honest) }
    return signature === '' ? signOffer(unsigned, receiptKey) : { ...unsigned, signature }
  }

  #consent({ role, body }: Inner): Answered {
    this.#seat(role).consent = parseConsentRequest(body).consent
    return { state: 'CREATED', input_commitment: null }
  }

  #input({ role, body, encapsulation }: Inner): Answered {
    const { initiator, responder } = this.seats
    if (!initiator?.consent || !responder?.consent) return 'consent_missing'
    const seat = this.#seat(role)
    if (seat.opened) return 'already_submitted'
    seat.opened = parseInputRequest(body)
    seat.encapsulation = encapsulation
    const { lane } = this.#keys.keyset
    const commitment = commitInput(lane, { session_id: SESSION_ID, role, ...seat.opened })
    return { state: 'PARTIAL', input_commitment: this.#faults.commitment ?? commitment }
  }

  #result({ role }: Inner): Answered {
    const { initiator, responder } = this.seats
    if (!initiator?.opened || !responder?.opened) return { state: 'PARTIAL', bundle: null }
    const present = this.#results++ >= (this.#faults.hardwareAfter ?? 0)
    const bundle = bundleOf(this.#keys, { offer: this.offer(), seats: [initiator, responder], role, present })
    return { state: 'COMPLETED', bundle: this.#faults.bundle?.(bundle) ?? bundle }
  }

  #invites({ did }: Inner): Answered {
    const { initiator, responder } = this.seats
    const waits = initiator !== undefined && responder === undefined && did === this.#invited
    const invite = {
      session_id: SESSION_ID,
      contract_hash: contractHash(contract),
      role: 'responder',
      known: false,
      seats: [initiator?.did ?? null, did],
      created_at: NOW_SECONDS,
      expires_at: NOW_SECONDS + 600,
    }
    return { invites: waits ? [invite] : [], left_off: 0 }
  }

  #list({ did }: Inner): Answered {
    const seat = Object.values(this.seats).find((each) => each.did === did)
    const row = {
      session_id: SESSION_ID,
      role: seat?.role ?? '',
      state: 'CREATED',
      expires_at: NOW_SECONDS + 600,
    }
    return { sessions: seat === undefined ? [] : [row], left_off: 0 }
  }

  #news({ path, did }: Inner): Answered {
    const after = Number(path.slice('/v1/inbox/'.length))
    const told = this.events.get(did) ?? []
    return { last: told.at(-1)?.seq ?? 0, events: told.filter(({ seq }) => seq > after).slice(0, 64) }
  }

  #decline({ body }: Inner): Answered {
    this.declined = parseDeclineRequest(body).reason_code
    return { state: 'ABORTED', input_commitment: null }
  }

  #seat(role: Role): DoubleSeat {
    const seat = this.seats[role]
    if (!seat) throw new Error('the seat is empty')
    return seat
  }
}
