/** True if no text stands twice. */
export const eachOnce = (all: readonly string[]): boolean => new Set(all).size === all.length
