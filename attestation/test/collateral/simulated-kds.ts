import {
  createSimulatedProcessor,
  type CrlSpec,
  type LeafSubject,
  type SimulatedProcessor,
} from '../../../scripts/src/processor/index.js'
import {
  type CollateralCache,
  type ExtraRoot,
  itemName,
  type ProductLine,
  type SigningKey,
} from '../../src/index.js'

export const NOW = Date.UTC(2026, 10, 30)
export const DAY_MS = 86_400_000

/** A chip, what its vendor hands out about it, and a report of it. */
export type Machine = {
  readonly processor: SimulatedProcessor
  readonly roots: readonly ExtraRoot[]
  readonly report: Uint8Array
  readonly leaf: Uint8Array
  readonly chain: readonly Uint8Array[]
  /** The chain as KDS spells it. */
  readonly chainPem: Uint8Array
  readonly crl: (changes?: Partial<CrlSpec>) => Uint8Array
  /** A certificate of the same key for something else. */
  readonly leafFor: (
    changes: Partial<LeafSubject>,
    dates?: { notBeforeMs?: number; notAfterMs?: number },
  ) => Uint8Array
}

const pem = (der: Uint8Array): string =>
  `-----BEGIN CERTIFICATE-----\n${Buffer.from(der)
    .toString('base64')
    .replace(/.{64}/g, '$&\n')
    .trim()}\n-----END CERTIFICATE-----\n`

const DATES = { thisUpdateMs: NOW - DAY_MS, nextUpdateMs: NOW + DAY_MS }

/** One vendor serves a whole test file: its keys take seconds. */
export const machine = async (
  product: ProductLine,
  signingKey: SigningKey = 'vcek',
  reportVersion?: number,
): Promise<Machine> => {
  const processor = await createSimulatedProcessor({
    product,
    signingKey,
    now: NOW,
    measurement: new Uint8Array(48).fill(1),
    ...(reportVersion === undefined ? {} : { reportVersion }),
  })
  const { vendor, certificates, leafSubject, leafSpki, rootCertificate } = processor
  const [leaf = new Uint8Array(), ...chain] = certificates
  return {
    processor,
    roots: [{ certificate: rootCertificate, simulated: true }],
    report: processor.attest({}),
    leaf,
    chain,
    chainPem: new TextEncoder().encode(chain.map(pem).join('')),
    crl: (changes = {}) => vendor.issueCrl({ ...DATES, ...changes }),
    leafFor: (changes, dates = {}) => vendor.issueLeaf({ ...leafSubject, ...changes }, leafSpki, dates),
  }
}

/** A cache in memory. */
export const memoryCache = (): CollateralCache & { readonly held: Map<string, Uint8Array> } => {
  const held = new Map<string, Uint8Array>()
  return {
    held,
    read: (item) => Promise.resolve(held.get(itemName(item)) ?? null),
    write: (item, bytes) => {
      held.set(itemName(item), bytes)
      return Promise.resolve()
    },
  }
}
