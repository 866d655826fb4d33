import { readCertificates } from '../certificate/read-certificates.js'
import type { AttestationErrorCode } from '../errors.js'
import { type Evidence, type ExtraRoot, type Instant, toMilliseconds } from '../evidence.js'
import type { ProductLine } from '../product.js'
import { parseReport } from '../report/parse-report.js'
import { readExtraRoots } from '../roots/read-extra-roots.js'
import { itemName } from './collateral-item.js'
import { wantedBy } from './collateral-wanted.js'
import type { CollateralPorts, CollateralSource, Obtained } from './obtain.js'
import { searchChain, searchCrl, searchLeaf } from './searches.js'

/** Evidence with the CRLs that came along, in DER. */
export type IncompleteEvidence = Omit<Evidence, 'crl'> & { readonly crls: readonly Uint8Array[] }

/** Under what collateral is looked for. */
export type CollateralTerms = CollateralPorts & {
  readonly now: Instant
  /** Roots beside AMD's; none where absent. */
  readonly roots?: readonly ExtraRoot[]
  /** For reports of version 2, which do not name it, where no certificate does. */
  readonly product?: ProductLine
}

/** What became of one item. */
export type CollateralStatus = {
  readonly item: 'chain' | 'leaf' | 'crl'
  /** Its name in a cache, or the kind of leaf. */
  readonly name: string
  readonly source: CollateralSource | null
  /** Why there is none. */
  readonly code: AttestationErrorCode | null
}

/** All that is to be had of what a verifier needs. */
export type Collateral = {
  readonly complete: boolean
  /** DER; leaf, intermediate, root, as far as there. */
  readonly certificates: readonly Uint8Array[]
  /** DER; null where none counts now. */
  readonly crl: Uint8Array | null
  readonly items: readonly CollateralStatus[]
}

const statusOf = (
  item: CollateralStatus['item'],
  name: string,
  { source, code }: Obtained<unknown>,
): CollateralStatus => ({ item, name, source, code })

const without = (code: AttestationErrorCode | null): Obtained<never> => ({ value: null, source: null, code })

/**
 * What a verifier needs beside a report: from the evidence itself, from a cache, or from AMD's service, in this order.
 * Whatever the source, an item counts only if it is the one that the report needs and a trusted root vouches for it:
 * a wrong certificate in the evidence is passed over, and one in an answer never enters the cache.
 * @throws AttestationError report_malformed, report_version_unsupported, certificate_malformed,
 * signing_key_unsupported, product_unsupported, argument_invalid; what is not to be had is no error, but has a code
 */
export const completeCollateral = async (
  { report: bytes, certificates, crls }: IncompleteEvidence,
  { now, roots = [], product: given, ...ports }: CollateralTerms,
): Promise<Collateral> => {
  const nowMs = toMilliseconds(now)
  const report = parseReport(bytes)
  const held = { certificates: readCertificates(certificates), crls }
  const wanted = wantedBy(report, held.certificates, given, nowMs)
  const chain = await searchChain(wanted, held, readExtraRoots(roots), ports)
  const authorities = chain.value
  // Without authorities nothing else can be told from what a stranger made.
  const leaf = authorities === null ? without(chain.code) : await searchLeaf(wanted, held, authorities, ports)
  const crl = authorities === null ? without(chain.code) : await searchCrl(wanted, held, authorities, ports)
  const { signs, product } = wanted
  const items = [
    statusOf('chain', itemName({ kind: 'chain', signs, product }), chain),
    statusOf('leaf', signs, leaf),
    statusOf('crl', itemName({ kind: 'crl', signs, product }), crl),
  ]
  const found = [leaf.value, authorities?.intermediate, authorities?.anchor.certificate]
  return {
    complete: items.every(({ source }) => source !== null),
    certificates: found.flatMap((one) => (one === null || one === undefined ? [] : [one.der])),
    crl: crl.value?.der ?? null,
    items,
  }
}
