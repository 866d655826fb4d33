import { ProtocolError } from '@parley/protocol'
import { type EffectState, mayFollow, stateOfEvent } from './effect-state.js'
import type { EffectFields, GateRecord } from './gate-record.js'

/** Where a run stood by its durable records. */
export type RunHistory = {
  /** The number of the next event. */
  readonly seq: number
  readonly ended: boolean
  /** The last record of each effect. */
  readonly effects: ReadonlyMap<string, { readonly state: EffectState; readonly fields: EffectFields }>
}

/**
 * Reads a run's records back after a restart.
 * @param records all records of one run, in order
 * @throws ProtocolError `object_malformed` on a gap, a record of another run, or a step that no effect can take: then
 * the record is not one of this gate's, and nothing is resumed from it.
 */
export const readHistory = (runId: string, records: readonly GateRecord[]): RunHistory => {
  const effects = new Map<string, { state: EffectState; fields: EffectFields }>()
  let ended = false
  for (const [index, record] of records.entries()) {
    const { run_id, seq } = record.fields
    if (run_id !== runId || seq !== index || ended || (record.event === 'run.started') !== (index === 0))
      throw malformed(index)
    if ('effect_id' in record.fields) follow(effects, record.event, record.fields, index)
    else ended = index > 0
  }
  return { seq: records.length, ended, effects }
}

const follow = (
  effects: Map<string, { state: EffectState; fields: EffectFields }>,
  event: GateRecord['event'],
  fields: EffectFields,
  index: number,
): void => {
  const state = stateOfEvent(event)
  const before = effects.get(fields.effect_id)
  if (state === undefined || !(before === undefined ? state === 'requested' : mayFollow(before.state, state)))
    throw malformed(index)
  effects.set(fields.effect_id, { state, fields })
}

const malformed = (index: number): ProtocolError =>
  new ProtocolError('object_malformed', `gate record ${index} does not follow`)
