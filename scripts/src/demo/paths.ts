import { fileURLToPath } from 'node:url'

/** The absolute path of a file of this repository. */
export const inRepository = (path: string): string =>
  fileURLToPath(new URL(`../../../${path}`, import.meta.url))

// The confidential relay refuses an environment that could steer it, and no process of the demo needs one.
/** All that the demo's processes find in their environment. */
export const CLEAN_ENVIRONMENT: Readonly<Record<string, string>> = { PATH: process.env['PATH'] ?? '' }
