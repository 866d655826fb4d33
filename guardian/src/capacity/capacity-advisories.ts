import type { Capacity } from '@parley/protocol'
import type { Advisory } from '../policy/advisory.js'
import { ceilLog2 } from './bit-length.js'

/**
 * What a reader of AgentVault's figure has to be warned of: that it is below the bits that the outputs themselves
 * have. Where its algorithm gives an error, its relay signs 0.
 * @see protocol SPEC §6
 */
export const capacityAdvisories = ({ outputs, agentvault_bits }: Capacity): readonly Advisory[] =>
  (agentvault_bits ?? 0) < ceilLog2(BigInt(outputs)) ? [{ code: 'agentvault_figure_differs' }] : []
