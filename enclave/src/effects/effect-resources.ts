import {
  checkDataFlow,
  CLASSIFICATIONS,
  type Classification,
  type DataPolicy,
  type PolicyEntity,
} from '@parley/guardian'
import type { ModelService } from '../model/model-service.js'
import type { Agreement } from '../session/agreement.js'

/** The label under which a session's inputs are asked about: they bear none of their own. */
export const INPUT_LABEL: Classification = 'INTERNAL'

/** What every effect of a session is for. */
export const PURPOSE = 'session'

const REGIONS = { local: 'local', eu_cloud: 'eu', us_cloud: 'us', unknown: 'other' } as const

/** The engine that evaluates a contract, by its name in `engines.json`. */
export const engineOf = ({ service }: Pick<Agreement, 'service'>): string => service?.engine ?? 'cel'

/** What evaluates, as the policy sees it: what may go there is what the bundle's matrix lets. */
export const providerEntity = (data: DataPolicy, { service }: Pick<Agreement, 'service'>): PolicyEntity => {
  const id = engineOf({ service })
  const host = service?.host ?? null
  return {
    type: 'Provider',
    id,
    attributes: {
      host: host ?? '',
      region: regionOf(data, id),
      egress: host !== null,
      max_classification: CLASSIFICATIONS.findLastIndex(
        (label) => checkDataFlow(data, { label, engine: id }).ok,
      ),
    },
  }
}

/** The host that a provider's call goes to. */
export const hostEntity = (data: DataPolicy, { engine }: ModelService, host: string): PolicyEntity => ({
  type: 'Host',
  id: host,
  attributes: { region: regionOf(data, engine) },
})

/** The contract whose outcome is released. */
export const contractEntity = ({ contractHash }: Pick<Agreement, 'contractHash'>): PolicyEntity => ({
  type: 'Contract',
  id: contractHash,
  attributes: { hash: contractHash },
})

const regionOf = ({ engines }: DataPolicy, id: string): string =>
  REGIONS[engines.engines.find((engine) => engine.id === id)?.locality ?? 'unknown']
