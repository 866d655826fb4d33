import * as v from 'valibot'
import { bigCount, integer } from './formats.js'

export const capacity = v.strictObject({
  outputs: bigCount,
  outcomes: bigCount,
  bits: integer(0, 4097),
  charge_millibits: integer(0, 4_097_000),
  agentvault_bits: v.nullable(integer(0, 65_535)),
})

/**
 * What one session can tell, counted exactly: distinct outputs, distinct outcomes (outputs and abort classes),
 * ceil(log2(outcomes)) bits, the ledger charge in thousandths of a bit, and AgentVault's own figure (SPEC §6).
 */
export type Capacity = v.InferOutput<typeof capacity>
