import {
  askForChain,
  checkDataFlow,
  type DataFlowCode,
  type PolicyEntity,
  type PolicyQuestion,
} from '@parley/guardian'
import type { Agreement } from '../session/agreement.js'
import { refuse, type Refused } from '../session/refuse.js'
import type { Services } from '../session/services.js'
import {
  contractEntity,
  engineOf,
  hostEntity,
  INPUT_LABEL,
  providerEntity,
  PURPOSE,
} from './effect-resources.js'
import { sessionEntity } from './session-identity.js'

type Deps = Pick<Services, 'audit' | 'bundle' | 'effectPolicy'>

/**
 * Refuses a contract where the policy bundle is against what it will need, before anybody gives an input for it. The gate
 * asks again when it comes to that. Undefined at once where nothing is against it: between the bounds of the table and
 * the session's place in it nobody else may come.
 * @throws RelayError as the store's commit
 */
export const refusePlan = (deps: Deps, agreement: Agreement): Promise<Refused> | undefined => {
  const engine = engineOf(agreement)
  const flow = checkDataFlow(deps.bundle.data, { label: INPUT_LABEL, engine })
  if (!flow.ok) return refuseFlow(deps, engine, flow.code)
  const isLet = plannedOf(deps, agreement).every(
    (question) => askForChain(deps.effectPolicy, question, []).decision === 'allow',
  )
  return isLet ? undefined : Promise.resolve(refuse('contract_refused', 'effect_denied /evaluator'))
}

const refuseFlow = async ({ audit }: Deps, engine: string, reason: DataFlowCode): Promise<Refused> => {
  const fields = { engine_id: engine, label: INPUT_LABEL, reason }
  await audit.append({ event: 'data_flow.blocked', fields })
  return refuse('contract_refused', `${reason} /evaluator`)
}

const plannedOf = (deps: Deps, agreement: Agreement): readonly PolicyQuestion[] => {
  const { data } = deps.bundle
  const { service, participants } = agreement
  const ask = (action: string, resource: PolicyEntity, recipients: readonly string[] = []) => ({
    principal: sessionEntity(deps, agreement),
    action,
    resource,
    purpose: PURPOSE,
    classification: INPUT_LABEL,
    recipients,
  })
  const host = service?.host ?? null
  return [
    ask('infer', providerEntity(data, agreement)),
    ...(service === null || host === null ? [] : [ask('egress', hostEntity(data, service, host))]),
    ask('release', contractEntity(agreement), participants),
  ]
}
