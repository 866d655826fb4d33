// How many requirements of each kind there are; they are numbered from 01.
const COUNTS = { A2A: 52, UAR: 27 } as const

/** Every requirement that has to be proven, in order. */
export const REQUIREMENT_IDS: readonly string[] = Object.entries(COUNTS).flatMap(([kind, count]) =>
  Array.from({ length: count }, (_, index) => `${kind}-${String(index + 1).padStart(2, '0')}`),
)
