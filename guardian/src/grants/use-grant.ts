import type { JsonValue } from '@parley/protocol'
import { type Refused, refused } from '../refused.js'
import type { Grant } from './grant.js'
import type { CountedGrant, UseTaken } from './grant-book.js'
import { GRANT_CODES, type GrantCode } from './grant-code.js'
import type { GrantQuestion } from './grant-question.js'
import { judgeGrant } from './judge-grant.js'

/** What a use of a grant stands on. */
export type GrantPorts = {
  /** Unix time. */
  readonly nowSeconds: () => number
  /** Counts one use of each, or none; atomic among all that use the store, and durable when it resolves. */
  readonly take: (uses: readonly CountedGrant[]) => Promise<UseTaken>
}

/** A use that is permitted, once, now; or why not. Nothing of it is to be remembered. */
export type GrantUse = { readonly ok: true; readonly grant: Grant } | Refused<GrantCode>

/**
 * Uses a grant once: judged anew, and counted before it resolves. A delegated token uses up those that it descends from,
 * so that handing it on multiplies nothing. It never rejects: a store that fails permits nothing.
 * @param chain the grant; of a delegated token all that it descends from, the root first
 * @see protocol SPEC "Grants"
 */
export const useGrant = async (
  ports: GrantPorts,
  chain: readonly JsonValue[],
  asked: GrantQuestion,
): Promise<GrantUse> => {
  const judged = judgeGrant(chain, asked, ports.nowSeconds())
  if (!judged.ok) return judged
  const presented = judged.grants.at(-1)
  if (presented === undefined) return refused('no_grant', '')
  const taken = await takeOrFail(ports, judged.grants)
  return taken === 'taken' ? { ok: true, grant: presented } : refused(taken, '')
}

/**
 * Uses the first of several grants that permits what is asked; with none, denied. The refusal is that of the grant that
 * came furthest.
 */
export const useAnyGrant = async (
  ports: GrantPorts,
  chains: readonly (readonly JsonValue[])[],
  asked: GrantQuestion,
): Promise<GrantUse> => {
  let best: Refused<GrantCode> = refused('no_grant', '')
  for (const chain of chains) {
    const use = await useGrant(ports, chain, asked)
    if (use.ok) return use
    if (GRANT_CODES.indexOf(use.code) > GRANT_CODES.indexOf(best.code)) best = use
  }
  return best
}

const takeOrFail = async (
  { take }: GrantPorts,
  grants: readonly Grant[],
): Promise<UseTaken | 'store_failed'> => {
  try {
    return await take(grants.map(countedOf))
  } catch {
    return 'store_failed'
  }
}

/** What a store counts of a grant. */
export const countedOf = (grant: Grant): CountedGrant => {
  const { iss, jti, exp } = grant
  const limit = grant.typ === 'act' ? grant.constraints?.max_uses : grant.max_uses
  return { iss, jti, exp, max_uses: limit ?? null }
}
