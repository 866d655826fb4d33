import { AttestationError, type AttestationErrorCode, failureClass } from '../errors.js'
import { type CollateralItem, kdsPath } from './collateral-item.js'

/** Where an item came from. */
export type CollateralSource = 'evidence' | 'cache' | 'kds'

/** Keeps answers of KDS. What it gives back is judged like any other answer. */
export type CollateralCache = {
  readonly read: (item: CollateralItem) => Promise<Uint8Array | null>
  readonly write: (item: CollateralItem, bytes: Uint8Array) => Promise<void>
}

/**
 * Asks KDS for a path.
 * @throws AttestationError collateral_unavailable, collateral_throttled
 */
export type AskKds = (path: string) => Promise<Uint8Array>

/** Where to look beside the evidence; null for not at all. Without `kds` nothing here can reach a network. */
export type CollateralPorts = { readonly cache: CollateralCache | null; readonly kds: AskKds | null }

/** An item, or why there is none. */
export type Obtained<T> =
  | { readonly value: T; readonly source: CollateralSource; readonly code: null }
  | { readonly value: null; readonly source: null; readonly code: AttestationErrorCode | null }

/** How to come by an item. Null stands for another one than was wanted. */
export type Search<T> = {
  /** What to ask for; null where KDS has no such thing. */
  readonly item: () => CollateralItem | null
  readonly held: () => Promise<T | null>
  readonly read: (bytes: Uint8Array) => Promise<T | null>
  readonly ports: CollateralPorts
}

// What can't be read at all is another thing than was wanted, too.
const readOrNull = async <T>(read: Search<T>['read'], bytes: Uint8Array): Promise<T | null> => {
  try {
    return await read(bytes)
  } catch (error) {
    if (error instanceof AttestationError && failureClass(error.code) === 'malformed') return null
    throw error
  }
}

const missing = (what: string): AttestationError => new AttestationError('collateral_missing', what)

const search = async <T>({ item: itemOf, held, read, ports }: Search<T>): Promise<Obtained<T>> => {
  const { cache, kds } = ports
  const inEvidence = await held()
  if (inEvidence !== null) return { value: inEvidence, source: 'evidence', code: null }
  const item = itemOf()
  if (item === null) throw missing('only the provider has it')
  const cached = await cache?.read(item)
  const inCache = cached == null ? null : await readOrNull(read, cached)
  if (inCache !== null) return { value: inCache, source: 'cache', code: null }
  if (kds === null) throw missing('it is not at hand, and nobody may be asked')
  const answer = await kds(kdsPath(item))
  const value = await readOrNull(read, answer)
  if (value === null) throw new AttestationError('collateral_unexpected', 'KDS answered with something else')
  await cache?.write(item, answer)
  return { value, source: 'kds', code: null }
}

const OUTCOMES: readonly AttestationErrorCode[] = [
  'collateral_missing',
  'collateral_unavailable',
  'collateral_throttled',
  'collateral_unexpected',
  'chip_id_mismatch',
]

/** Looks for an item in the evidence, then in the cache, then at KDS. */
export const obtain = async <T>(searched: Search<T>): Promise<Obtained<T>> => {
  try {
    return await search(searched)
  } catch (error) {
    if (!(error instanceof AttestationError && OUTCOMES.includes(error.code))) throw error
    return { value: null, source: null, code: error.code }
  }
}
