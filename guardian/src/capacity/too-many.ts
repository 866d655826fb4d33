/** Counts stay below this; the bound is also what ends loops over numbers that a schema names. */
export const TOO_MANY = 1n << 4096n
