import type { CheckResult } from '../checks.js'
import { equalBytes, isZero } from '../equal-bytes.js'
import { AttestationError } from '../errors.js'
import type { ProductLine } from '../product.js'
import type { Report } from '../report/report.js'
import type { LeafCertificate } from './select-leaf.js'

/** What becomes of a report of a VCEK whose CHIP_ID the host masked, so that it names no chip. */
export type MaskedChipId = 'refuse' | 'allow'

/** How long the hardware id of a chip is. */
export const HW_ID_BYTES: Readonly<Record<ProductLine, number>> = { Milan: 64, Genoa: 64, Turin: 8 }

/** Whether a hardware id is that of a CHIP_ID: all of it, or its first bytes and nothing after them. */
export const namesChip = (hwID: Uint8Array, chipId: Uint8Array): boolean =>
  equalBytes(hwID, chipId.subarray(0, hwID.length)) && isZero(chipId.subarray(hwID.length))

/**
 * The leaf is of the chip that the report names. A VLEK belongs to a provider, not to a chip.
 * @throws AttestationError chip_id_mismatch
 */
export const checkChipId = (
  { chip_id }: Report,
  { leaf: { kind, hwID } }: LeafCertificate,
  product: ProductLine,
  masked: MaskedChipId,
): CheckResult => {
  if (kind === 'vlek') return 'passed'
  if (isZero(chip_id) && masked === 'allow') return 'any'
  // A hardware id of zeros would match every masked report.
  const bound = hwID?.length === HW_ID_BYTES[product] && !isZero(chip_id) && namesChip(hwID, chip_id)
  if (!bound) throw new AttestationError('chip_id_mismatch', 'the VCEK is not of the chip that CHIP_ID names')
  return 'passed'
}
