/** The first ones, as many as there may be. */
export function firstOf<T>(items: Iterable<T>, most: number): T[] {
  const first: T[] = []
  for (const item of items) {
    if (first.length === most) break
    first.push(item)
  }
  return first
}
