import { type JsonValue, parseJson, ProtocolError } from '@parley/protocol'
import * as v from 'valibot'
import { RelayError } from '../relay-error.js'
import { readPrivateFile } from './private-file.js'
import { sameToken, type TokenDigest, tokenDigest } from './token-digest.js'

const WHAT = 'agents_file'
const agent = v.strictObject({
  agent_id: v.pipe(v.string(), v.regex(/^[\x21-\x7e]{1,64}$/)),
  inbox_token: v.pipe(v.string(), v.regex(/^[\x21-\x7e]{1,512}$/)),
  public_key_hex: v.optional(v.nullable(v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/))), null),
})
const agentsFile = v.strictObject({ agents: v.pipe(v.array(agent), v.maxLength(1024)) })

/** An agent with an inbox. */
export type Agent = { readonly agentId: string; readonly publicKeyHex: string | null }

/** The agents that an operator has named. */
export type Agents = {
  /** Whose inbox token this is. Takes as long for one agent as for another, and for none. */
  readonly ofToken: (token: string) => Agent | undefined
  readonly has: (agentId: string) => boolean
}

/**
 * Reads the agents; of their tokens only digests are kept.
 * @param path null: there are none
 * @throws RelayError `config_malformed`
 */
export function loadAgents(path: string | null): Agents {
  if (path === null) return agentsOf([])
  const bytes = readPrivateFile(path, WHAT)
  if (bytes === undefined) throw malformed('is missing')
  const parsed = v.safeParse(agentsFile, jsonOf(bytes), { abortEarly: true })
  if (!parsed.success) throw malformed(`wrong member: ${v.getDotPath(parsed.issues[0]) ?? '(root)'}`)
  const { agents } = parsed.output
  if (distinct(agents.map(({ agent_id }) => agent_id)) < agents.length)
    throw malformed('an agent_id is named twice')
  if (distinct(agents.map(({ inbox_token }) => inbox_token)) < agents.length)
    throw malformed('two agents have one inbox_token')
  return agentsOf(
    agents.map(({ agent_id, inbox_token, public_key_hex }) => ({
      agent: { agentId: agent_id, publicKeyHex: public_key_hex },
      digest: tokenDigest(inbox_token),
    })),
  )
}

function agentsOf(rows: readonly { readonly agent: Agent; readonly digest: TokenDigest }[]): Agents {
  const ids = new Set(rows.map(({ agent }) => agent.agentId))
  return {
    ofToken: (token) => {
      const presented = tokenDigest(token)
      // Every row is compared: the place of a match shows in no time.
      const [match] = rows.filter(({ digest }) => sameToken(digest, presented))
      return match?.agent
    },
    has: (agentId) => ids.has(agentId),
  }
}

function jsonOf(bytes: Uint8Array): JsonValue {
  try {
    return parseJson(bytes)
  } catch (error) {
    if (error instanceof ProtocolError) throw malformed('is not JSON')
    throw error
  }
}

const distinct = (texts: readonly string[]): number => new Set(texts).size

const malformed = (what: string): RelayError => new RelayError('config_malformed', `${WHAT}: ${what}`)
