import { X509Certificate } from 'node:crypto'
import { type AppraisalPolicy, AttestationError, parseAppraisalPolicy } from '@parley/attestation'
import { certificatesIn, filesOfProvider, parseProviderList, type ProviderRow } from '@parley/guardian'
import type { ProviderName } from '../model/model-provider.js'
import { parsedOr, policyMalformed, type PolicyFiles, readPolicyObject } from './policy-files.js'

/** What is expected of a provider that attests: from the policy bundle, and from nowhere else. */
export type ExpectedProvider = {
  readonly hardware: AppraisalPolicy
  readonly image_digest: string
  readonly policy_bundle_hash: string
}

/** The file of a local model. */
export type ModelFile = {
  /** Lower-case hex SHA-256 of its bytes. */
  readonly sha256: string
  /** Where the relay reads it at its start, absolute; null where it cannot reach it. */
  readonly path: string | null
}

/** A model provider that a relay may ask: what `providers.json` says of it, with its roots read. */
export type Provider = {
  readonly name: string
  readonly kind: ProviderName
  readonly host: string
  readonly port: number
  /** PEM, one certificate each; none for `local`, and where everything is sealed to an attested key. */
  readonly roots: readonly string[]
  /** Whose account is asked, as offer and receipt call it. */
  readonly account: string
  /** `required`: from a key file in the software lane, by provisioning in the confidential one. */
  readonly api_key: 'required' | 'none'
  /** Null where the provider is taken on its word and on TLS. */
  readonly attested: ExpectedProvider | null
  /** Of a `local` provider, and only of one. */
  readonly model_file: ModelFile | null
}

const FILE = 'providers.json'
const PLACED = /^providers\/[^/]+$/

/**
 * Reads `providers.json`, and the roots and appraisal policies that it names. A bundle without one has no provider.
 * @throws RelayError `policy_malformed`, naming the member; also on a file under `providers/` that nobody names
 */
export function readProviders(files: PolicyFiles): readonly Provider[] {
  const rows = files.has(FILE) ? parsedOr(FILE, () => parseProviderList(readPolicyObject(files, FILE))) : []
  const named = new Set(rows.flatMap(filesOfProvider))
  for (const path of files.keys())
    if (PLACED.test(path) && !named.has(path)) throw policyMalformed(path, 'is of no provider')
  return rows.map(({ attested: evidence, model_file = null, ...row }) => ({
    ...row,
    roots: row.roots.flatMap((file) => readRoots(files, placeOf(file))),
    attested: evidence === undefined ? null : expectedOf(files, evidence),
    model_file,
  }))
}

const placeOf = (file: string): string => `providers/${file}`

const expectedOf = (
  files: PolicyFiles,
  { appraisal, ...release }: NonNullable<ProviderRow['attested']>,
): ExpectedProvider => {
  const path = placeOf(appraisal)
  try {
    return { ...release, hardware: parseAppraisalPolicy(readPolicyObject(files, path)) }
  } catch (error) {
    if (error instanceof AttestationError) throw policyMalformed(path, error.message)
    throw error
  }
}

const readRoots = (files: PolicyFiles, path: string): readonly string[] => {
  const bytes = files.get(path)
  if (bytes === undefined) throw policyMalformed(path, 'is missing')
  const roots = certificatesIn(Buffer.from(bytes).toString('latin1'))
  if (roots.length === 0 || !roots.every(isAuthority))
    throw policyMalformed(path, 'is not certificates of authorities in PEM and nothing else')
  return roots
}

const isAuthority = (pem: string): boolean => {
  try {
    return new X509Certificate(pem).ca
  } catch {
    return false
  }
}
