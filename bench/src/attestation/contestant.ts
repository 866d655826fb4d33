import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Candidate } from '../candidate.js'
import { endChild } from '../end-child.js'
import { nextMessage } from '../next-message.js'
import type { Task } from './contestant-main.js'

/** A verifier in a process of its own. */
export type Contestant = { readonly cpu: Candidate['cpu']; readonly stop: () => Promise<void> }

const isNumber = (message: unknown): message is number => typeof message === 'number'

/** Starts a verifier on cases that it accepts. */
export async function startContestant(task: Task): Promise<Contestant> {
  const program = fileURLToPath(new URL('./contestant-main.js', import.meta.url))
  const child = fork(program, [], { execArgv: [], serialization: 'advanced' })
  const ask = (message: Task | number): Promise<number> => {
    const answer = nextMessage(child, isNumber)
    child.send(message)
    return answer
  }
  await ask(task)
  return { cpu: ask, stop: () => endChild(child) }
}
