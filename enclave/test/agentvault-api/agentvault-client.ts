/**
 * Asks the API as AgentVault's client does: `fetch` with a time limit, JSON bodies, a bearer token, an error that holds
 * status and body, an answer that is JSON.
 */
class RelayHttpError extends Error {
  readonly status: number
  readonly body: string

  constructor(status: number, body: string) {
    super(`Relay HTTP ${status}: ${body}`)
    this.status = status
    this.body = body
  }
}

type Json = Record<string, unknown>

export type CreatedSession = {
  readonly session_id: string
  readonly contract_hash: string
  readonly initiator_submit_token: string
  readonly initiator_read_token: string
  readonly responder_submit_token: string
  readonly responder_read_token: string
}

export type Status = { readonly state: string; readonly abort_reason: string | null }
export type Output = Status & {
  readonly output: unknown
  readonly receipt: Json | null
  readonly receipt_signature: string | null
  readonly receipt_v2: Json | null
}

const TIMEOUT_MS = 30_000

async function ask(relayUrl: string, path: string, options: RequestInit): Promise<Json> {
  const url = `${relayUrl.replace(/\/$/, '')}${path}`
  const answer = await fetch(url, { ...options, signal: AbortSignal.timeout(TIMEOUT_MS) })
  if (!answer.ok) throw new RelayHttpError(answer.status, await answer.text())
  return (await answer.json()) as Json
}

const bearer = (token: string): Record<string, string> => ({ Authorization: `Bearer ${token}` })

const post = (relayUrl: string, path: string, body: unknown, token?: string): Promise<Json> =>
  ask(relayUrl, path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(token === undefined ? {} : bearer(token)) },
    body: JSON.stringify(body),
  })

const get = (relayUrl: string, path: string, token?: string): Promise<Json> =>
  ask(relayUrl, path, { method: 'GET', headers: token === undefined ? {} : bearer(token) })

/** The client of one relay. */
export type AgentVaultClient = {
  readonly health: () => Promise<Json>
  readonly capabilities: () => Promise<Json>
  readonly relay: (body: unknown) => Promise<Json>
  readonly createSession: (contract: unknown, provider?: string) => Promise<CreatedSession>
  readonly submitInput: (
    id: string,
    token: string,
    role: string,
    context: unknown,
    expected?: string,
  ) => Promise<Status>
  readonly status: (id: string, token: string) => Promise<Status>
  readonly output: (id: string, token: string) => Promise<Output>
  readonly metadata: (id: string, token: string) => Promise<Json>
  readonly createInvite: (request: Json, token: string) => Promise<Json>
  readonly inbox: (token: string, query?: string) => Promise<Json & { readonly invites: readonly Json[] }>
  readonly readInvite: (id: string, token: string) => Promise<Json>
  readonly acceptInvite: (id: string, token: string, expected?: string) => Promise<Json>
  readonly declineInvite: (id: string, token: string, reason?: string) => Promise<Json>
  readonly cancelInvite: (id: string, token: string) => Promise<Json>
}

/** A client that knows a relay by its URL. */
export const agentVaultClient = (relayUrl: string): AgentVaultClient => ({
  health: () => get(relayUrl, '/health'),
  capabilities: () => get(relayUrl, '/capabilities'),
  relay: (body: unknown) => post(relayUrl, '/relay', body),
  createSession: async (contract: unknown, provider?: string): Promise<CreatedSession> =>
    (await post(
      relayUrl,
      '/sessions',
      provider === undefined ? { contract } : { contract, provider },
    )) as unknown as CreatedSession,
  submitInput: async (
    id: string,
    token: string,
    role: string,
    context: unknown,
    expected?: string,
  ): Promise<Status> =>
    (await post(
      relayUrl,
      `/sessions/${id}/input`,
      expected === undefined ? { role, context } : { role, context, expected_contract_hash: expected },
      token,
    )) as unknown as Status,
  status: async (id: string, token: string): Promise<Status> =>
    (await get(relayUrl, `/sessions/${id}/status`, token)) as unknown as Status,
  output: async (id: string, token: string): Promise<Output> =>
    (await get(relayUrl, `/sessions/${id}/output`, token)) as unknown as Output,
  metadata: (id: string, token: string) => get(relayUrl, `/sessions/${id}/metadata`, token),
  createInvite: async (request: Json, token: string): Promise<Json> =>
    checked(await post(relayUrl, '/invites', request, token), INVITE_CREATED),
  inbox: async (token: string, query = ''): Promise<Json & { readonly invites: readonly Json[] }> => {
    const inbox = await get(relayUrl, `/inbox${query}`, token)
    const { invites, latest_event_id } = inbox
    if (!Array.isArray(invites) || typeof latest_event_id !== 'number') throw new Error('inbox response')
    return { ...inbox, invites: invites.map((invite) => checked(invite as Json, INVITE_SUMMARY)) }
  },
  readInvite: async (id: string, token: string): Promise<Json> =>
    checked(await get(relayUrl, `/invites/${id}`, token), INVITE_DETAIL),
  acceptInvite: async (id: string, token: string, expected?: string): Promise<Json> =>
    checked(
      await post(
        relayUrl,
        `/invites/${id}/accept`,
        expected === undefined ? {} : { expected_contract_hash: expected },
        token,
      ),
      INVITE_ACCEPTED,
    ),
  declineInvite: async (id: string, token: string, reason?: string): Promise<Json> =>
    checked(
      await post(
        relayUrl,
        `/invites/${id}/decline`,
        reason === undefined ? {} : { reason_code: reason },
        token,
      ),
      INVITE_DETAIL,
    ),
  cancelInvite: async (id: string, token: string): Promise<Json> =>
    checked(await post(relayUrl, `/invites/${id}/cancel`, {}, token), INVITE_DETAIL),
})

// What the client's own validators ask of each answer: `s` a string, `t` a time that it can read, `i` a status.
const INVITE_SUMMARY = {
  invite_id: 's',
  from_agent_id: 's',
  status: 'i',
  purpose_code: 's',
  contract_hash: 's',
  created_at: 't',
  expires_at: 't',
} as const
const INVITE_DETAIL = { ...INVITE_SUMMARY, to_agent_id: 's', provider: 's', updated_at: 't' } as const
const INVITE_CREATED = { invite_id: 's', contract_hash: 's', status: 'i', expires_at: 't' } as const
const INVITE_ACCEPTED = {
  invite_id: 's',
  session_id: 's',
  contract_hash: 's',
  responder_submit_token: 's',
  responder_read_token: 's',
} as const

const STATUSES = ['PENDING', 'ACCEPTED', 'DECLINED', 'EXPIRED', 'CANCELED']

function checked(answer: Json, members: Readonly<Record<string, 's' | 't' | 'i'>>): Json {
  for (const [name, kind] of Object.entries(members)) {
    const value = answer[name]
    if (typeof value !== 'string') throw new Error(`${name} must be a string`)
    if (kind === 't' && Number.isNaN(Date.parse(value))) throw new Error(`${name} is no time`)
    if (kind === 'i' && !STATUSES.includes(value)) throw new Error(`${name} is no status`)
  }
  return answer
}
