import { MOST_WINDOW_SECONDS, type SpendingWindow } from '@parley/guardian'
import { InvalidArgumentError } from 'commander'
import { AgentError } from '../agent-error.js'
import type { Budget } from '../begin-session.js'
import { parseBits } from './parse-option.js'

/** The options by which an owner budgets a secret. Limits in thousandths of a bit. */
export type BudgetOptions = {
  readonly tag: string
  readonly limit?: number
  readonly window?: SpendingWindow
  readonly pairLimit?: number
}

/** What a secret is called where nothing else is said. */
export const DEFAULT_TAG = 'default'

const TAG = /^[\x21-\x7e]{1,64}$/

/** @throws AgentError `argument_invalid` */
export const budgetOf = ({ tag, limit, window, pairLimit }: BudgetOptions): Budget => {
  if (!TAG.test(tag))
    throw new AgentError('argument_invalid', 'a tag is 1 to 64 printable characters without space')
  return {
    tag,
    limitMillibits: limit ?? null,
    ...(window === undefined ? {} : { window }),
    ...(pairLimit === undefined ? {} : { pairLimitMillibits: pairLimit }),
  }
}

const WINDOW = /^(\d{1,7})([smhd]?):(\d.*)$/
const SECONDS = { '': 1, s: 1, m: 60, h: 3600, d: 86_400 } as const

/** A window, from a time (seconds, or with m, h or d) and bits: `1d:20`. */
export const parseWindow = (text: string): SpendingWindow => {
  const [, count = '', unit = '', bits = ''] = WINDOW.exec(text) ?? []
  const seconds = Number(count) * (isUnit(unit) ? SECONDS[unit] : 0)
  if (count === '' || seconds < 1 || seconds > MOST_WINDOW_SECONDS)
    throw new InvalidArgumentError('a time of 1s to 31d and bits, such as 1d:20')
  return { seconds, limit_millibits: parseBits(bits) }
}

const isUnit = (text: string): text is keyof typeof SECONDS => Object.hasOwn(SECONDS, text)
