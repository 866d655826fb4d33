import type { AmdExtensions, Spl } from '../certificate/amd-extensions.js'
import { AttestationError } from '../errors.js'
import type { ProductLine } from '../product.js'

const UP_TO_GENOA: readonly Spl[] = ['blSPL', 'teeSPL', 'spl4', 'spl5', 'spl6', 'spl7', 'snpSPL', 'ucodeSPL']
const FROM_TURIN: readonly Spl[] = ['fmcSPL', 'blSPL', 'teeSPL', 'snpSPL', 'spl5', 'spl6', 'spl7', 'ucodeSPL']

/** Which extension stands for which byte of TCB_VERSION, lowest address first. */
export const SPL_OF_BYTE: Readonly<Record<ProductLine, readonly Spl[]>> = {
  Milan: UP_TO_GENOA,
  Genoa: UP_TO_GENOA,
  Turin: FROM_TURIN,
}

/** The extension that a leaf of another product line would have. */
const FOREIGN: Readonly<Record<ProductLine, Spl>> = { Milan: 'fmcSPL', Genoa: 'fmcSPL', Turin: 'spl4' }

const malformed = (what: string): AttestationError => new AttestationError('certificate_malformed', what)

/** Whether a leaf was derived with this TCB, part by part. A part that the leaf leaves out is never equal. */
export const leafHasTcb = ({ spl }: AmdExtensions, tcb: Uint8Array, product: ProductLine): boolean =>
  SPL_OF_BYTE[product].every((name, at) => spl[name] === tcb[at])

/**
 * The parts that a leaf's product line has are all there, and none of another's.
 * @throws AttestationError certificate_malformed
 */
export const checkLeafParts = ({ spl }: AmdExtensions, product: ProductLine): void => {
  const missing = SPL_OF_BYTE[product].find((name) => spl[name] === null)
  if (missing !== undefined) throw malformed(`a ${product} leaf has no extension ${missing}`)
  if (spl[FOREIGN[product]] !== null)
    throw malformed(`a ${product} leaf has the extension ${FOREIGN[product]}`)
}
