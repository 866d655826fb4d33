/** The rows with a change to one of them, or with what a function makes of it. */
export const changedRow = <Row extends object>(
  rows: readonly Row[],
  at: number,
  change: Partial<Row>,
): Row[] => rows.map((row, index) => (index === at ? { ...row, ...change } : row))

/** A list with one item replaced. */
export const replaced = <Item>(items: readonly Item[], at: number, item: Item): Item[] =>
  items.map((each, index) => (index === at ? item : each))
