import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** Ends a child process, which goes when nobody listens to it any more. */
export async function endChild(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.disconnect()
  await ended
}
