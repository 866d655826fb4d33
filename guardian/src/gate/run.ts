import { type JsonValue, ProtocolError } from '@parley/protocol'
import { type EffectState, isEnd, mayFollow, type RunState } from './effect-state.js'
import type { EffectFields, EvidencePort, GateRecord } from './gate-record.js'
import type { Identify } from './identity.js'
import type { LiveEvents } from './live-events.js'
import type { Reason } from './outcome.js'
import { readHistory } from './run-history.js'

/** What the gate knows of an effect by now. */
export type EffectFacts = Omit<EffectFields, 'run_id' | 'seq' | 'reason'>

/** The next event of an effect. */
export type EffectStep = {
  readonly event: EffectState
  readonly facts: EffectFacts
  readonly reason?: Reason | null
  /** For live watchers alone. */
  readonly content?: JsonValue
}

/** What a run stands on. */
export type RunPorts = {
  readonly id: string
  readonly identify: Identify
  readonly evidence: EvidencePort
  readonly live: LiveEvents
}

/** Where an effect stands. */
export type EffectStanding = {
  readonly state: EffectState
  readonly reason: Reason | null
  readonly facts: EffectFacts
}

type Tracked = EffectStanding & { readonly abort: AbortController }

/**
 * One run: its effects, and its events, numbered without gaps. Each event is durable before anybody acts on it; after
 * the end of an effect, or of the run, none of it comes.
 */
export class Run {
  readonly #ports: RunPorts
  readonly #effects = new Map<string, Tracked>()
  #seq = 0
  // Whether a record that could not be written is on the disk is not known, so that no number is sure after it.
  #state: RunState | 'unwritten' = 'started'
  #last: Promise<unknown> = Promise.resolve()

  private constructor(ports: RunPorts) {
    this.#ports = ports
  }

  /** Begins a run. Where its first record could not be written, the run is over before any effect. */
  static async start(ports: RunPorts): Promise<Run> {
    const run = new Run(ports)
    await run.#write({ event: 'run.started', fields: { run_id: ports.id, seq: 0 } }, null)
    return run
  }

  /**
   * Takes a run up after a restart. What waits for an approval goes on waiting, see {@link Gate.resume}; whatever else
   * was open has failed as `interrupted`, since nobody knows how far it came.
   * @throws ProtocolError `object_malformed` where the records are not a run's, or the run has ended
   */
  static async resume(ports: RunPorts, records: readonly GateRecord[]): Promise<Run> {
    const { seq, ended, effects } = readHistory(ports.id, records)
    if (ended || seq === 0) throw new ProtocolError('object_malformed', 'the run has ended, or never began')
    const run = new Run(ports)
    run.#seq = seq
    for (const [id, { state, fields }] of effects) {
      run.#effects.set(id, { state, reason: fields.reason, facts: fields, abort: new AbortController() })
      if (state !== 'approval_required' && !isEnd(state))
        await run.advance({ event: 'failed', facts: factsOf(fields), reason: 'interrupted' })
    }
    return run
  }

  get id(): string {
    return this.#ports.id
  }

  get identify(): Identify {
    return this.#ports.identify
  }

  get state(): RunState | 'unwritten' {
    return this.#state
  }

  /** Takes an effect's next step. False where it may not follow, and where its record could not be written. */
  advance(step: EffectStep): Promise<boolean> {
    return this.#serially(() => this.#advance(step))
  }

  /** Cancels an effect; false where it has ended already. What it does from then on counts for nothing. */
  cancelEffect(effectId: string): Promise<boolean> {
    const cancelled = this.#serially(() => this.#cancel(effectId))
    // After the cancellation has its place in the queue: a failure that the signal causes comes too late.
    this.#effects.get(effectId)?.abort.abort()
    return cancelled
  }

  /** Ends the run. Open effects are cancelled; with one, a run is not completed, and false is the answer. */
  end(state: 'completed' | 'failed' | 'cancelled'): Promise<boolean> {
    const ended = this.#serially(() => this.#end(state))
    if (state !== 'completed') this.#abortAll()
    return ended
  }

  /** Aborted when the effect is cancelled, or the run can go no further. */
  signalOf(effectId: string): AbortSignal {
    return this.#effects.get(effectId)?.abort.signal ?? AbortSignal.abort()
  }

  /** Where an effect stands. */
  effect(effectId: string): EffectStanding | undefined {
    return this.#effects.get(effectId)
  }

  async #advance({ event, facts, reason = null, content = null }: EffectStep): Promise<boolean> {
    const known = this.#effects.get(facts.effect_id)
    const fits = known === undefined ? event === 'requested' : mayFollow(known.state, event)
    if (this.#state !== 'started' || !fits) return false
    const fields = { ...facts, run_id: this.id, seq: this.#seq, reason }
    if (!(await this.#write({ event: `effect.${event}`, fields }, content))) return false
    const abort = known?.abort ?? new AbortController()
    this.#effects.set(facts.effect_id, { state: event, reason, facts, abort })
    return true
  }

  async #cancel(effectId: string): Promise<boolean> {
    const known = this.#effects.get(effectId)
    if (known === undefined) return false
    const reason = known.state === 'started' ? 'cancelled_while_running' : 'cancelled_before_start'
    return this.#advance({ event: 'cancelled', facts: known.facts, reason })
  }

  async #end(state: 'completed' | 'failed' | 'cancelled'): Promise<boolean> {
    const open = [...this.#effects].filter(([, effect]) => !isEnd(effect.state)).map(([id]) => id)
    if (this.#state !== 'started' || (state === 'completed' && open.length > 0)) return false
    for (const id of open) await this.#cancel(id)
    const fields = { run_id: this.id, seq: this.#seq }
    if (!(await this.#write({ event: `run.${state}`, fields }, null))) return false
    this.#state = state
    return true
  }

  async #write(record: GateRecord, content: JsonValue): Promise<boolean> {
    // A write inside the same task may have failed just now.
    if (this.#state === 'unwritten') return false
    try {
      await this.#ports.evidence(record)
    } catch {
      this.#state = 'unwritten'
      this.#abortAll()
      return false
    }
    this.#seq += 1
    this.#ports.live.publish({ record, content })
    return true
  }

  #abortAll(): void {
    for (const { abort } of this.#effects.values()) abort.abort()
  }

  #serially<T>(task: () => Promise<T>): Promise<T> {
    const done = this.#last.then(task)
    this.#last = done.catch(() => undefined)
    return done
  }
}

const factsOf = ({ run_id: _run, seq: _seq, reason: _reason, ...facts }: EffectFields): EffectFacts => facts
