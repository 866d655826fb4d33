import { sha256, toHex, utf8 } from '@parley/protocol'
import { RELEASE_VERSION } from '../release-version.js'
import type { AgreedContract } from './agreed-contract.js'

/** What AgentVault's relay calls its build; `runtime_hash` is its SHA-256. */
export const GIT_SHA = `parley-${RELEASE_VERSION}`

/** SHA-256 of a text, in lower-case hex. */
export const hashOfText = (text: string): string => toHex(sha256(utf8(text)))

/** SHA-256 of the build's name. */
export const RUNTIME_HASH = hashOfText(GIT_SHA)

/** AgentVault's budget where a contract states none. */
const DEFAULT_BUDGET_BITS = 128

/** The figures that both forms of a receipt state. */
export type ReceiptFigures = {
  /** What one session can tell, exactly and rounded up: its outputs and the ways in which it can end without one. */
  readonly capacityBits: number
  /** The same of its outputs alone. */
  readonly schemaBits: number
  readonly budgetLimit: number
  readonly enforcement: 'advisory' | 'gate' | 'strict'
}

const ENFORCEMENT = { Advisory: 'advisory', Gate: 'gate', Strict: 'strict' } as const

/** The figures of a contract. */
export function receiptFigures({ admitted: { capacity, contract } }: AgreedContract): ReceiptFigures {
  return {
    capacityBits: capacity.bits,
    schemaBits: ceilLog2(BigInt(capacity.outputs)),
    budgetLimit: contract.entropy_budget_bits ?? DEFAULT_BUDGET_BITS,
    enforcement: ENFORCEMENT[contract.entropy_enforcement ?? 'Advisory'],
  }
}

/** ⌈log2 n⌉ of a positive integer. */
const ceilLog2 = (n: bigint): number => (n <= 1n ? 0 : (n - 1n).toString(2).length)
