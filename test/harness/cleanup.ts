import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

const tasks: (() => unknown)[] = []

/** Does something when the tests of this file are over, last things first. */
export const atEnd = (task: () => unknown): void => {
  tasks.push(task)
}

afterAll(async () => {
  for (const task of tasks.reverse()) await task()
})

/** A folder that is gone when the tests of this file are over. */
export const freshFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-promise-'))
  atEnd(() => {
    rmSync(folder, { recursive: true, force: true })
  })
  return folder
}
