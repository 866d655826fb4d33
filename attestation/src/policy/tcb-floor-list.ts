import type { ProductLine } from '../product.js'
import type { TcbPart } from '../report/tcb.js'

/** The least security version of one part of a product line, and who says so. */
export type TcbFloor = {
  readonly product: ProductLine
  readonly part: TcbPart
  readonly minimum: number
  readonly bulletin: string
  readonly source: string
}

/** Floors as somebody published them, at a date. */
export type TcbFloorList = { readonly sha256: string; readonly floors: readonly TcbFloor[] }

const AMD_SB_3019 = {
  bulletin: 'AMD-SB-3019',
  source:
    'https://www.amd.com/en/resources/product-security/bulletin/amd-sb-3019.html, as read in https://github.com/microsoft/CCF/issues/6812 (2025-02-13)',
} as const

/**
 * `attestation/tcb-floors.json`: a list by the SHA-256 of that file's bytes. A policy names the list that it means, so
 * that a new one changes no policy.
 */
export const TCB_FLOOR_LISTS = [
  {
    sha256: '9cb2f7204b13ca33f70f89192aa48fff9080a9298a3f068da107e41f9580bdf5',
    floors: [
      { product: 'Milan', part: 'snp', minimum: 0x18, ...AMD_SB_3019 },
      { product: 'Genoa', part: 'snp', minimum: 0x17, ...AMD_SB_3019 },
    ],
  },
] as const satisfies readonly TcbFloorList[]

/** The floors of a product line in a list that a policy names; none where either is unknown. */
export const floorsOf = (sha256: string, product: ProductLine): readonly TcbFloor[] => {
  const lists: readonly TcbFloorList[] = TCB_FLOOR_LISTS
  const floors = lists.find((list) => list.sha256 === sha256)?.floors ?? []
  return floors.filter((floor) => floor.product === product)
}
