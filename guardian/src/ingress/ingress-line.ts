/** What stands between a message and its effect, in this order whatever its kind. A kind leaves out what it has not. */
export const INGRESS_STEPS = [
  'size',
  'schema',
  'origin',
  'window',
  'ttl',
  'mac',
  'purpose',
  'rate',
  'replay',
  'attachments',
  'instance_pin',
  'audit',
  'classification',
  'consent',
  'sanitiser',
  'effect',
] as const

/** One of {@link INGRESS_STEPS}. */
export type IngressStep = (typeof INGRESS_STEPS)[number]

/** What a step answers: the stronger value that it made, or why it stops. */
export type Checked<Value, Reason extends string> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly reason: Reason }

/** A whole line's answer. `seen` is what the failing step was given: all that had been established. */
export type LineOutcome<Seen, Out, Reason extends string> =
  | { readonly ok: true; readonly value: Out }
  | { readonly ok: false; readonly step: IngressStep; readonly reason: Reason; readonly seen: Seen }

/** The steps that may follow one: a line that takes them in another order does not compile. */
export type StepsAfter<Last, Steps extends readonly string[] = typeof INGRESS_STEPS> = Last extends 'start'
  ? Steps[number]
  : Steps extends readonly [infer First, ...infer Rest extends readonly string[]]
    ? First extends Last
      ? Rest[number]
      : StepsAfter<Last, Rest>
    : never

type Run<Seen, Out, Reason extends string> = (arrived: Seen) => Promise<LineOutcome<Seen, Out, Reason>>

/**
 * The order of {@link INGRESS_STEPS} as a type. Each step turns a weaker value into a stronger one; the first that
 * fails ends the walk; a step that throws has failed, with `fault` for its reason.
 */
export class IngressLine<Seen, Out extends Seen, Last extends string, Reason extends string> {
  readonly run: Run<Seen, Out, Reason>
  readonly #fault: Reason

  private constructor(run: Run<Seen, Out, Reason>, fault: Reason) {
    this.run = run
    this.#fault = fault
  }

  /** A line without steps. */
  static from<Seen, Reason extends string>(fault: Reason): IngressLine<Seen, Seen, 'start', Reason> {
    return new IngressLine((value: Seen) => Promise.resolve({ ok: true as const, value }), fault)
  }

  /** The line with one more step. */
  step<Name extends IngressStep & StepsAfter<Last>, Next extends Seen>(
    name: Name,
    check: (value: Out) => Checked<Next, Reason> | Promise<Checked<Next, Reason>>,
  ): IngressLine<Seen, Next, Name, Reason> {
    return new IngressLine(async (arrived: Seen) => {
      const before = await this.run(arrived)
      if (!before.ok) return before
      const checked = await this.#try(check, before.value)
      return checked.ok ? checked : { ...checked, step: name, seen: before.value }
    }, this.#fault)
  }

  async #try<Next>(
    check: (value: Out) => Checked<Next, Reason> | Promise<Checked<Next, Reason>>,
    value: Out,
  ): Promise<Checked<Next, Reason>> {
    try {
      return await check(value)
    } catch {
      // A port that fails closes the door. What it said may hold paths or input: only the reason goes on.
      return no(this.#fault)
    }
  }
}

/** A step passed. */
export const yes = <Value>(value: Value): { readonly ok: true; readonly value: Value } => ({
  ok: true,
  value,
})

/** A step stops. */
export const no = <Reason extends string>(
  reason: Reason,
): { readonly ok: false; readonly reason: Reason } => ({
  ok: false,
  reason,
})
