/**
 * A time as AgentVault writes it.
 * @param seconds of Unix time
 */
export const rfc3339 = (seconds: number): string => `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`
