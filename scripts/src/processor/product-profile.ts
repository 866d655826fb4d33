import type { ProductLine } from '@parley/attestation'

/** How chips of a product line differ where a report or a leaf shows it. */
export type ProductProfile = {
  /** As AMD's extension productName spells it in a VCEK. */
  readonly vcekProductName: string
  readonly structVersion: number
  readonly hwIdBytes: number
  /** Combined family and model, stepping. */
  readonly cpuid: readonly [number, number, number]
  /** TCB_VERSION as firmware of 2025 reports it, lowest byte first. */
  readonly tcb: Uint8Array
  /** Extensions that stand for the eight bytes of TCB_VERSION, as the last arcs of their identifiers. */
  readonly splArcs: readonly number[]
  readonly reportVersion: number
}

const UP_TO_GENOA = [1, 2, 4, 5, 6, 7, 3, 8]
const FROM_TURIN = [9, 1, 2, 3, 5, 6, 7, 8]

/** One row for each product line. */
export const PROFILES: Readonly<Record<ProductLine, ProductProfile>> = {
  Milan: {
    vcekProductName: 'Milan-B0',
    structVersion: 0,
    hwIdBytes: 64,
    cpuid: [0x19, 0x01, 1],
    tcb: Uint8Array.of(4, 0, 0, 0, 0, 0, 24, 219),
    splArcs: UP_TO_GENOA,
    reportVersion: 3,
  },
  Genoa: {
    vcekProductName: 'Genoa',
    structVersion: 0,
    hwIdBytes: 64,
    cpuid: [0x19, 0x11, 1],
    tcb: Uint8Array.of(10, 0, 0, 0, 0, 0, 25, 84),
    splArcs: UP_TO_GENOA,
    reportVersion: 5,
  },
  Turin: {
    vcekProductName: 'Turin',
    structVersion: 1,
    hwIdBytes: 8,
    cpuid: [0x1a, 0x02, 1],
    tcb: Uint8Array.of(1, 1, 1, 4, 0, 0, 0, 81),
    splArcs: FROM_TURIN,
    reportVersion: 5,
  },
}
