/** A launch input, or `host_kernel`: what none of the inputs tells. */
export type LaunchDifferenceInput =
  | 'vmm'
  | 'vcpus'
  | 'vcpu_signature'
  | 'guest_features'
  | 'host_kernel'
  | 'kernel_hashes'
  | 'append'
  | 'initrd'
  | 'ovmf_hash'

/** What was given for an input, and what reproduces the digest instead. */
export type LaunchDifference = {
  readonly input: LaunchDifferenceInput
  readonly given: string
  readonly found: string
}

/** A value, with how it differs from what was given. */
export type Variant<T> = { readonly value: T; readonly differences: readonly LaunchDifference[] }

/** The given value, which differs in nothing, then the others. */
export const vary = <T>(
  input: LaunchDifferenceInput,
  given: T,
  others: readonly T[],
  describe: (value: T) => string,
): readonly Variant<T>[] => [
  { value: given, differences: [] },
  ...others
    .filter((value) => value !== given)
    .map((value) => ({ value, differences: [{ input, given: describe(given), found: describe(value) }] })),
]

/** Each variant of one with each of the other. */
export const combine = <A, B, C>(
  left: readonly Variant<A>[],
  right: readonly Variant<B>[],
  join: (a: A, b: B) => C,
): readonly Variant<C>[] =>
  left.flatMap((a) =>
    right.map((b) => ({
      value: join(a.value, b.value),
      differences: [...a.differences, ...b.differences],
    })),
  )
