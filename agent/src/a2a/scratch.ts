import { randomUUID } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { OpenedAttachment } from '@parley/guardian'
import { orUnusable } from '../private-file.js'

/** A task's own folder: what came with it in `in`, what is to go back in `out`. */
export type Scratch = { readonly folder: string; readonly in: string; readonly out: string }

/**
 * Lends a task a folder that is its owner's alone, and removes it however the task ends.
 * @throws AgentError `file_unusable`
 */
export const withScratch = async <T>(root: string, use: (scratch: Scratch) => Promise<T>): Promise<T> => {
  const folder = join(root, randomUUID())
  const scratch = { folder, in: join(folder, 'in'), out: join(folder, 'out') }
  try {
    for (const path of [scratch.in, scratch.out])
      await orUnusable(path, mkdir(path, { recursive: true, mode: 0o700 }))
    return await use(scratch)
  } finally {
    await remove(folder)
  }
}

/** Removes what tasks left that a crash ended. Nothing else may be using the root. @throws AgentError `file_unusable` */
export const clearScratch = (root: string): Promise<void> => remove(root)

/** Puts a task's files into `in`; their names have been judged. @throws AgentError `file_unusable` */
export const unpack = async (scratch: Scratch, attachments: readonly OpenedAttachment[]): Promise<void> => {
  for (const { name, bytes } of attachments) {
    const path = join(scratch.in, name)
    await orUnusable(path, writeFile(path, bytes, { flag: 'wx', mode: 0o600 }))
  }
}

const remove = (path: string): Promise<void> =>
  orUnusable(path, rm(path, { recursive: true, force: true, maxRetries: 3 }))
