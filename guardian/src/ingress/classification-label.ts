/** From what anyone may see to what may not leave. */
export const CLASSIFICATIONS = ['PUBLIC', 'INTERNAL', 'CONFIDENTIAL', 'SECRET'] as const

/** One of {@link CLASSIFICATIONS}. */
export type Classification = (typeof CLASSIFICATIONS)[number]

/** What carries no label of its own. */
export const UNLABELLED: Classification = 'INTERNAL'

/** The label that a text names, or undefined: a typing error of CONFIDENTIAL must not become INTERNAL. */
export const classificationOf = (text: string): Classification | undefined =>
  CLASSIFICATIONS.find((known) => known === text)

/** True if `label` is no stricter than `cap`. */
export const isWithin = (label: Classification, cap: Classification): boolean =>
  CLASSIFICATIONS.indexOf(label) <= CLASSIFICATIONS.indexOf(cap)

/** The strictest of the labels; what has none counts as {@link UNLABELLED}. */
export const strictestOf = (labels: readonly Classification[]): Classification =>
  labels.length === 0 ? UNLABELLED : labels.reduce((a, b) => (isWithin(a, b) ? b : a))
