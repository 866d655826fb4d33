import { AgentError } from '../agent-error.js'
import type { Budget } from '../begin-session.js'

/** The options by which an owner budgets a secret. `limit` in thousandths of a bit. */
export type BudgetOptions = { readonly tag: string; readonly limit?: number }

/** What a secret is called where nothing else is said. */
export const DEFAULT_TAG = 'default'

const TAG = /^[\x21-\x7e]{1,64}$/

/** @throws AgentError `argument_invalid` */
export const budgetOf = ({ tag, limit }: BudgetOptions): Budget => {
  if (!TAG.test(tag))
    throw new AgentError('argument_invalid', 'a tag is 1 to 64 printable characters without space')
  return { tag, limitMillibits: limit ?? null }
}
