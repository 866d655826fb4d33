import type { JsonValue } from '@parley/protocol'
import * as v from 'valibot'
import { readBundleForm } from './read-bundle-form.js'

/** The kinds of language-model API that a relay can ask; `local` is an OpenAI-compatible server beside it. */
export const PROVIDER_KINDS = ['anthropic', 'openai', 'gemini', 'local'] as const

const LOOPBACK: readonly string[] = ['127.0.0.1', '::1']
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
  path: v.nullable(v.pipe(v.string(), v.maxLength(4096), v.startsWith('/'))),
})

const provider = v.strictObject({
  name,
  kind: v.picklist(PROVIDER_KINDS),
  host: v.string(),
  port: v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(65_535)),
  roots: v.pipe(v.array(v.pipe(v.string(), v.regex(/^[a-z0-9-]{1,64}\.pem$/))), v.maxLength(16)),
  account: v.pipe(v.string(), v.regex(/^[\x21-\x7e]{1,64}$/)),
  api_key: v.picklist(['required', 'none']),
  attested: v.exactOptional(attested),
  model_file: v.exactOptional(modelFile),
})

/** A model provider as `providers.json` says it. */
export type ProviderRow = v.InferOutput<typeof provider>

const isCoherent = (row: ProviderRow): boolean => (row.kind === 'local' ? isLocal(row) : isRemote(row))

const isLocal = ({ host, roots, api_key, attested: evidence, model_file }: ProviderRow): boolean =>
  LOOPBACK.includes(host) &&
  roots.length === 0 &&
  api_key === 'none' &&
  evidence === undefined &&
  model_file !== undefined

const isRemote = ({ host, roots, api_key, attested: evidence, model_file }: ProviderRow): boolean =>
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
 * Reads `providers.json`.
 * @throws ProtocolError `object_malformed`
 * @see protocol SPEC "Model evaluators"
 */
export const parseProviderList = (value: JsonValue): readonly ProviderRow[] =>
  readBundleForm(providers, value).providers

/** The files of the bundle that a provider names: its roots, and the appraisal policy of one that attests. */
export const filesOfProvider = ({ roots, attested: evidence }: ProviderRow): readonly string[] =>
  [...roots, ...(evidence === undefined ? [] : [evidence.appraisal])].map((file) => `providers/${file}`)
