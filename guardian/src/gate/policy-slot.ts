import type { Policy } from './policy.js'

/** The policy in force. A reload changes it between two decisions, never within one. */
export type PolicySlot = {
  readonly current: () => Policy
  /** Loads the next policy whole and then puts it in force; where loading throws, the old one stays. */
  readonly reload: (load: () => Policy | Promise<Policy>) => Promise<Policy>
}

/** A slot that begins with one policy. */
export const createPolicySlot = (first: Policy): PolicySlot => {
  let policy = first
  return {
    current: () => policy,
    reload: async (load) => {
      policy = await load()
      return policy
    },
  }
}
