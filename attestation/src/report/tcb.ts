import { AttestationError } from '../errors.js'
import type { ProductLine } from '../product.js'

/** A part of the platform whose security version AMD counts. Only Turin has an FMC. */
export type TcbPart = 'fmc' | 'bootloader' | 'tee' | 'snp' | 'microcode'

/** The security version of each part that a product line has. */
export type TcbParts = Readonly<Partial<Record<TcbPart, number>>>

type TcbLayout = readonly (TcbPart | null)[]

const UP_TO_GENOA: TcbLayout = ['bootloader', 'tee', null, null, null, null, 'snp', 'microcode']
const FROM_TURIN: TcbLayout = ['fmc', 'bootloader', 'tee', 'snp', null, null, null, 'microcode']

/** What each of the eight bytes of a TCB_VERSION means, lowest address first; null is reserved. */
export const TCB_LAYOUTS: Readonly<Record<ProductLine, TcbLayout>> = {
  Milan: UP_TO_GENOA,
  Genoa: UP_TO_GENOA,
  Turin: FROM_TURIN,
}

/** A TCB_VERSION taken apart. Parts are compared one by one, never as one number. */
export const tcbParts = (tcb: Uint8Array, product: ProductLine): TcbParts => {
  const parts: Partial<Record<TcbPart, number>> = {}
  TCB_LAYOUTS[product].forEach((part, at) => {
    if (part !== null) parts[part] = tcb[at] ?? 0
  })
  return parts
}

/**
 * Reserved bytes of a TCB_VERSION are zero: with the wrong product's layout they would not be.
 * @throws AttestationError report_malformed
 */
export const checkTcbReserved = (tcb: Uint8Array, product: ProductLine): void => {
  const reservedSet = TCB_LAYOUTS[product].some((part, at) => part === null && tcb[at] !== 0)
  if (reservedSet)
    throw new AttestationError('report_malformed', `a reserved byte of a ${product} TCB is set`)
}
