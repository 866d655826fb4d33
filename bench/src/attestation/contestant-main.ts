import { inProcess } from '../candidate.js'
import type { Case } from '../evidence/case.js'
import { ours, peerVerifiers, type Verification } from './verifiers.js'

// One verifier in a process of its own, so that none pays for another's garbage. It is told its name and its cases, then
// how many to verify, and answers with the CPU time that this took.

/** What a contestant is told first: a peer's name, or null for ours, and the cases that it verifies in turn. */
export type Task = { readonly peer: string | null; readonly cases: readonly Case[] }

function isTask(message: unknown): message is Task {
  return typeof message === 'object' && message !== null && 'peer' in message && 'cases' in message
}

async function verificationsOf({ peer, cases }: Task): Promise<readonly Verification[]> {
  const peers = (await peerVerifiers()) ?? []
  const verifier = peer === null ? ours('ours') : peers.find(({ name }) => name === peer)
  if (verifier === undefined) throw new Error(`there is no verifier ${String(peer)}`)
  return Promise.all(cases.map(verifier.prepare))
}

async function take(task: Task): Promise<void> {
  const verifications = await verificationsOf(task)
  let at = 0
  const { cpu } = inProcess('next', () => verifications[at++ % verifications.length]?.())
  process.on('message', (times: unknown) => {
    void cpu(Number(times)).then((microseconds) => process.send?.(microseconds))
  })
  process.send?.(await cpu(1))
}

process.once('message', (message: unknown) => {
  if (isTask(message)) void take(message)
})
