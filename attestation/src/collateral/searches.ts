import type { Certificate } from '../certificate/parse-certificate.js'
import { readCertificates } from '../certificate/read-certificates.js'
import type { LeafCertificate } from '../chain/select-leaf.js'
import type { RevocationList } from '../crl/parse-crl.js'
import { acceptChain, type Authorities } from './accept-chain.js'
import { acceptCrl } from './accept-crl.js'
import { acceptLeaf } from './accept-leaf.js'
import { type CollateralItem, vcekItemOf } from './collateral-item.js'
import type { CollateralWanted } from './collateral-wanted.js'
import { type CollateralPorts, obtain, type Obtained } from './obtain.js'

/** What came with the report. */
export type Held = { readonly certificates: readonly Certificate[]; readonly crls: readonly Uint8Array[] }

// A provider's VLEK is for the provider to hand over: KDS gives it to nobody else.
const leafItem = ({ report, signs, product }: CollateralWanted): CollateralItem | null =>
  signs === 'vcek' ? vcekItemOf(report, product) : null

/** Looks for the intermediate and its root. */
export const searchChain = (
  { signs, product }: CollateralWanted,
  held: Held,
  extraRoots: readonly Certificate[],
  ports: CollateralPorts,
): Promise<Obtained<Authorities>> => {
  const item = { kind: 'chain', signs, product } as const
  const accept = (certificates: readonly Certificate[]) => acceptChain(certificates, extraRoots, item)
  return obtain({
    item: () => item,
    held: () => accept(held.certificates),
    read: (bytes) => accept(readCertificates([bytes])),
    ports,
  })
}

/** Looks for the leaf. */
export const searchLeaf = (
  wanted: CollateralWanted,
  held: Held,
  authorities: Authorities,
  ports: CollateralPorts,
): Promise<Obtained<LeafCertificate>> => {
  const accept = (certificates: readonly Certificate[]) => acceptLeaf(certificates, wanted, authorities)
  return obtain({
    item: () => leafItem(wanted),
    held: () => accept(held.certificates),
    read: (bytes) => accept(readCertificates([bytes])),
    ports,
  })
}

/** Looks for a CRL that counts now. */
export const searchCrl = (
  { signs, product, nowMs }: CollateralWanted,
  held: Held,
  authorities: Authorities,
  ports: CollateralPorts,
): Promise<Obtained<RevocationList>> => {
  const accept = (bytes: Uint8Array) => acceptCrl(bytes, authorities, nowMs)
  return obtain({
    item: () => ({ kind: 'crl', signs, product }),
    held: async () => {
      for (const bytes of held.crls) {
        const crl = await accept(bytes)
        if (crl !== null) return crl
      }
      return null
    },
    read: accept,
    ports,
  })
}
