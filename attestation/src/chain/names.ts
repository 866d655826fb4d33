import { type ProductLine, productFromName } from '../product.js'
import type { SigningKey } from '../report/signer-info.js'

/** The common name of a product line's root. */
export const rootName = (product: ProductLine): string => `ARK-${product}`

/** What the common name of an intermediate says: SEV-Milan (ASK) signs VCEKs, SEV-VLEK-Milan (ASVK) signs VLEKs. */
export type IntermediateName = { readonly signs: SigningKey; readonly product: ProductLine }

/** An intermediate's common name taken apart, or null where it is none that we know. */
export const parseIntermediateName = (commonName: string): IntermediateName | null => {
  const [, infix, line = ''] = /^SEV-(VLEK-)?([A-Za-z]+)$/.exec(commonName) ?? []
  const product = productFromName(line)
  return product === null ? null : { signs: infix === undefined ? 'vcek' : 'vlek', product }
}
