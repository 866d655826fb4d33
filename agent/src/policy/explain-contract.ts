import {
  admitArtefacts,
  admitContract,
  type Evaluator,
  parseAdmissionList,
  parseGuardianPolicy,
  parseProfileDescriptor,
  parseProviderList,
  type ProviderRow,
  type Registry,
} from '@parley/guardian'
import {
  type Contract,
  contractHash,
  type JsonValue,
  parseJson,
  type ProfileName,
  ProtocolError,
} from '@parley/protocol'
import type { BundleFolder } from './read-bundle-folder.js'

/** A rule of a bundle that had a part in a decision: where it stands, and what it came to. */
export type ContractRule = { readonly file: string; readonly pointer: string; readonly says: string }

/** What a bundle says to a contract, and by which rules. */
export type ContractExplanation = {
  readonly policy_bundle_hash: string
  readonly profile: ProfileName
  readonly contract_hash: string
  readonly decision: 'admitted' | 'refused'
  /** Of a refusal: its code, and the pointer of the cause in the contract. */
  readonly code: string | null
  readonly pointer: string | null
  readonly detail: string | null
  /** In the order in which they are asked; of a refusal the last one refuses. */
  readonly rules: readonly ContractRule[]
}

/** What is asked. */
export type ContractQuestion = {
  readonly contract: Contract
  readonly profile: ProfileName
  /** The whole registry; the bundle says what of it counts. */
  readonly registry: Registry
}

const ADMISSION = 'registry-admission.json'

/**
 * Tells what a relay with this bundle would say to a contract, as far as the bundle decides it: a relay lacks a provider
 * whose key it was not given.
 * @throws ProtocolError where the bundle's files are not what `parley policy check` passes
 */
export const explainContract = (
  { files, hash: policy_bundle_hash }: BundleFolder,
  { contract, profile, registry }: ContractQuestion,
): ContractExplanation => {
  const admitted = admitArtefacts(registry, parseAdmissionList(valueIn(files, ADMISSION)))
  const providers = files.has('providers.json') ? parseProviderList(valueIn(files, 'providers.json')) : []
  const known = { policy_bundle_hash, profile, contract_hash: contractHash(contract) }
  const named = policyRule(files, { contract, profile, registry: admitted })
  if (named.hash === undefined)
    return refusal(known, [named.rule], { code: 'policy_unknown', pointer: '/enforcement_policy_hash' })
  const policy = parseGuardianPolicy(admitted.artefact('policy', named.hash) ?? null)
  const admission = admitContract({
    ...{ contract, policy, registry: admitted },
    evaluators: evaluatorsOf(providers),
  })
  if (!admission.ok) {
    const { code, pointer, detail = null } = admission
    return refusal(known, [named.rule, refusingRule({ code, pointer }, named.hash)], {
      code,
      pointer,
      detail,
    })
  }
  const { model, evaluator } = admission.admitted
  const served = servedBy(providers, model?.profile.provider ?? null)
  const rules = [
    named.rule,
    { file: `registry policy ${named.hash}`, pointer: '', says: 'admits the contract' },
    served,
  ]
  if (served.pointer === '' && model !== null)
    return refusal(known, rules, { code: 'evaluator_unavailable', pointer: '/model_profile_hash' })
  const end = {
    decision: 'admitted',
    code: null,
    pointer: null,
    detail: `evaluated by ${evaluator}`,
  } as const
  return { ...known, ...end, rules }
}

type Known = Pick<ContractExplanation, 'policy_bundle_hash' | 'profile' | 'contract_hash'>
type Cause = { readonly code: string; readonly pointer: string; readonly detail?: string | null }

const refusal = (
  known: Known,
  rules: readonly ContractRule[],
  { code, pointer, detail = null }: Cause,
): ContractExplanation => ({ ...known, decision: 'refused', code, pointer, detail, rules })

/** The policy that applies: the contract's, where the bundle admits it, or else the profile's. */
const policyRule = (
  files: BundleFolder['files'],
  { contract, profile, registry }: ContractQuestion,
): { readonly hash: string | undefined; readonly rule: ContractRule } => {
  const { enforcement_policy_hash: own } = contract
  if (own !== undefined) {
    const hash = registry.resolve('policy', own)
    const says = hash === undefined ? `does not list ${own}, which the contract names` : `admits ${own}`
    return { hash, rule: { file: ADMISSION, pointer: '/policies/allow', says } }
  }
  const file = `profiles/${profile}.json`
  const { guardian_policy } = parseProfileDescriptor(profile, valueIn(files, file))
  const hash = registry.resolve('policy', guardian_policy)
  return {
    hash,
    rule: { file, pointer: '/guardian_policy', says: `is ${guardian_policy}, ${hash ?? 'not admitted'}` },
  }
}

const servedBy = (providers: readonly ProviderRow[], kind: string | null): ContractRule => {
  if (kind === null) return { file: 'contract', pointer: '/program', says: 'needs no provider' }
  const at = providers.findIndex((row) => row.kind === kind)
  return at < 0
    ? { file: 'providers.json', pointer: '', says: `has no provider of kind ${kind}` }
    : { file: 'providers.json', pointer: `/providers/${at}`, says: `is asked: ${providers[at]?.name ?? ''}` }
}

const BY_POLICY = /_by_policy$|_exceed_policy$|_for_canaries$|^narrowing_/

/** Where the rule stands that gave a code; what is neither the bundle's nor the policy's is the contract's own fault. */
const refusingRule = ({ code, pointer }: Cause, policy: string): ContractRule => {
  if (code === 'evaluator_unavailable')
    return { file: 'providers.json', pointer: '/providers', says: 'has nobody who evaluates it' }
  if (code.endsWith('_unknown'))
    return { file: ADMISSION, pointer: '', says: 'does not admit what the contract names' }
  if (BY_POLICY.test(code))
    return { file: `registry policy ${policy}`, pointer: '', says: `refuses it: ${code}` }
  return { file: 'contract', pointer, says: `can be admitted by no bundle: ${code}` }
}

const evaluatorsOf = (providers: readonly ProviderRow[]): readonly Evaluator[] => [
  'cel',
  ...(providers.some(({ kind }) => kind !== 'local') ? (['llm'] as const) : []),
  ...(providers.some(({ kind }) => kind === 'local') ? (['local'] as const) : []),
]

const valueIn = (files: BundleFolder['files'], path: string): JsonValue => {
  const bytes = files.get(path)
  if (bytes === undefined) throw new ProtocolError('object_malformed', `${path} is missing`)
  return parseJson(bytes)
}
