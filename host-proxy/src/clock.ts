/** Where the proxy learns the time: milliseconds since the Unix epoch. */
export type Clock = () => number

/** The host's clock. */
export const hostClock: Clock = () => Date.now()
