import {
  AttestationError,
  type Collateral,
  type CollateralStatus,
  completeCollateral,
  PRODUCT_LINES,
  type ProductLine,
} from '@parley/attestation'
import { askKds, collateralCache } from '@parley/attestation/node'
import { parseInstant } from '../../parse-instant.js'
import { readRootFile } from '../read-root.js'
import type { Io } from '../run.js'
import { readSource, type Source } from './read-source.js'

/** The options that say where collateral may come from, as commander hands them over. */
export type GatherOptions = {
  readonly certs?: string
  readonly cache?: string
  readonly kds?: string
  readonly offline?: true
  readonly product?: string
  readonly root?: string
  readonly now?: string
}

/** Evidence with what is to be had of its collateral. */
export type Gathered = {
  readonly report: Uint8Array
  readonly source: Source
  readonly collateral: Collateral
}

const unusable = (what: string): AttestationError => new AttestationError('argument_invalid', what)

const productOf = (name: string | undefined): { product?: ProductLine } => {
  if (name === undefined) return {}
  const product = PRODUCT_LINES.find((line) => line.toLowerCase() === name.toLowerCase())
  if (product === undefined) throw unusable(`--product is none of ${PRODUCT_LINES.join(', ')}`)
  return { product }
}

/** Looks for what the evidence at a path needs. Without `mayFetch` nobody is asked. */
export const gather = async (
  path: string,
  options: GatherOptions,
  mayFetch: boolean,
  io: Io,
): Promise<Gathered> => {
  const { certs, cache, kds, product, root, now } = options
  const source = await readSource(path, certs)
  const { report, certificates, crls } = source
  if (report === null) throw unusable(`${path}: there is no report`)
  const nowMs = now === undefined ? io.now : parseInstant(now)
  const collateral = await completeCollateral(
    {
      report,
      certificates: certificates.map(({ bytes }) => bytes),
      crls: crls.map(({ bytes }) => bytes),
    },
    {
      now: nowMs,
      roots: await readRootFile(root),
      ...productOf(product),
      cache: cache === undefined ? null : collateralCache(cache),
      kds: mayFetch ? askKds({ nowMs, ...(kds === undefined ? {} : { url: kds }) }) : null,
    },
  )
  return { report, source, collateral }
}

/** One line for each item: what it is, and where it came from or why it is missing. */
export const statusText = (items: readonly CollateralStatus[]): string =>
  items
    .map(
      ({ item, name, source, code }) => `${item.padEnd(6)} ${name}: ${source ?? `missing, ${code ?? ''}`}\n`,
    )
    .join('')
