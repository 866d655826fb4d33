import { X509Certificate } from 'node:crypto'
import { isAbsolute } from 'node:path'
import { type AppraisalPolicy, AttestationError, parseAppraisalPolicy } from '@parley/attestation'
import * as v from 'valibot'
import { PROVIDER_NAMES, type ProviderName } from '../model/model-provider.js'
import { LOOPBACK } from '../model/transport/open-channel.js'
import { policyMalformed, type PolicyFiles, readPolicyForm, readPolicyObject } from './policy-files.js'

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
const PEM = /-----BEGIN CERTIFICATE-----\n(?:[A-Za-z0-9+/=]{1,76}\n)+-----END CERTIFICATE-----\n/g
const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const HOST_NAME = new RegExp(`^(?=.{1,253}$)(?:${LABEL}\\.)+(?=[a-z])${LABEL}$`)

const name = v.pipe(v.string(), v.regex(/^[a-z0-9-]{1,64}$/))
const digest = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/))

const attested = v.strictObject({
  appraisal: v.pipe(v.string(), v.regex(/^[a-z0-9-]{1,64}\.json$/)),
  image_digest: digest,
  policy_bundle_hash: digest,
})

const modelFile = v.strictObject({
  sha256: digest,
  path: v.nullable(v.pipe(v.string(), v.maxLength(4096), v.check(isAbsolute))),
})

const provider = v.strictObject({
  name,
  kind: v.picklist(PROVIDER_NAMES),
  host: v.string(),
  port: v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(65_535)),
  roots: v.pipe(v.array(v.pipe(v.string(), v.regex(/^[a-z0-9-]{1,64}\.pem$/))), v.maxLength(16)),
  account: v.pipe(v.string(), v.regex(/^[\x21-\x7e]{1,64}$/)),
  api_key: v.picklist(['required', 'none']),
  attested: v.exactOptional(attested),
  model_file: v.exactOptional(modelFile),
})

type Row = v.InferOutput<typeof provider>

const isCoherent = (row: Row): boolean => (row.kind === 'local' ? isLocal(row) : isRemote(row))

const isLocal = ({ host, roots, api_key, attested: evidence, model_file }: Row): boolean =>
  LOOPBACK.includes(host) &&
  roots.length === 0 &&
  api_key === 'none' &&
  evidence === undefined &&
  model_file !== undefined

const isRemote = ({ host, roots, api_key, attested: evidence, model_file }: Row): boolean =>
  HOST_NAME.test(host) &&
  model_file === undefined &&
  // What is sealed to an attested key needs no other protection, and its service may know its callers otherwise.
  (evidence !== undefined || (roots.length > 0 && api_key === 'required'))

const providers = v.strictObject({
  version: v.literal('parley-providers-v1'),
  providers: v.pipe(
    v.array(v.pipe(provider, v.check(isCoherent, 'host, roots, key, evidence and file by kind'))),
    v.maxLength(64),
    v.check((all) => new Set(all.map((each) => each.name)).size === all.length, 'each name once'),
  ),
})

/**
 * Reads `providers.json`, and the roots and appraisal policies that it names. A bundle without one has no provider.
 * @throws RelayError `policy_malformed`, naming the member; also on a file under `providers/` that nobody names
 */
export function readProviders(files: PolicyFiles): readonly Provider[] {
  const rows = files.has(FILE) ? readPolicyForm(FILE, providers, readPolicyObject(files, FILE)).providers : []
  const named = new Set(rows.flatMap(filesOf))
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

const filesOf = ({ roots, attested: evidence }: Row): readonly string[] =>
  [...roots, ...(evidence === undefined ? [] : [evidence.appraisal])].map(placeOf)

const expectedOf = (
  files: PolicyFiles,
  { appraisal, ...release }: v.InferOutput<typeof attested>,
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
  const text = Buffer.from(bytes).toString('latin1')
  const roots = text.match(PEM) ?? []
  // A comment or a key beside the certificates would be hashed as if it governed something.
  if (roots.length === 0 || roots.join('') !== text || !roots.every(isAuthority))
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
