/** The product lines that AMD has one signing hierarchy for. Bergamo and Siena are signed as Genoa. */
export type ProductLine = 'Milan' | 'Genoa' | 'Turin'

export const PRODUCT_LINES = ['Milan', 'Genoa', 'Turin'] as const satisfies readonly ProductLine[]

/** CPUID of the chip as the firmware reports it, from report version 3 on: combined family and model. */
export type Cpuid = { readonly family: number; readonly model: number; readonly stepping: number }

const CPUID_RANGES: readonly { family: number; first: number; last: number; product: ProductLine }[] = [
  { family: 0x19, first: 0x00, last: 0x0f, product: 'Milan' },
  { family: 0x19, first: 0x10, last: 0x1f, product: 'Genoa' },
  { family: 0x19, first: 0xa0, last: 0xaf, product: 'Genoa' },
  { family: 0x1a, first: 0x00, last: 0x11, product: 'Turin' },
]

/** The product line of a chip, or null where it is none that we know. */
export const productFromCpuid = ({ family, model }: Cpuid): ProductLine | null =>
  CPUID_RANGES.find((row) => row.family === family && row.first <= model && model <= row.last)?.product ??
  null

/**
 * The product line that a name stands for. AMD writes `Milan-B0` on every Milan VCEK whatever the stepping, so
 * what follows the hyphen says nothing.
 */
export const productFromName = (name: string): ProductLine | null =>
  PRODUCT_LINES.find((line) => name === line || name.startsWith(`${line}-`)) ?? null
