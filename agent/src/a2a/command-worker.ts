import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { canonicalize } from '@parley/protocol'
import type { Classification } from '@parley/guardian'
import { COMMAND_ENGINE } from './work-policy.js'
import type { Worker, WorkerTask } from './worker.js'

/** Octets that a command may print. */
const MOST_OUTPUT = 262_144

/** A command that works on tasks. */
export type WorkerCommand = {
  readonly program: string
  readonly args: readonly string[]
  /** Where it finds programs. */
  readonly path: string
  readonly most: Classification
  /** What the policy calls it; `command` unless said. */
  readonly engine?: string
}

/**
 * A worker that is a command: started in the task's scratch folder, with the framed instruction on its standard input and
 * `task.json` beside `in` and `out`. It gets none of this process's environment but PATH. Its process group ends with it,
 * and at its deadline. What the connection grants is told to it, and nothing here confines it: whoever configures a
 * command trusts it with this user's rights.
 */
export const commandWorker = ({
  program,
  args,
  path,
  most,
  engine = COMMAND_ENGINE,
}: WorkerCommand): Worker => ({
  engine_id: engine,
  most,
  run: async (task, stop) => {
    await writeFile(join(task.scratch.folder, 'task.json'), canonicalize(told(task)), {
      flag: 'wx',
      mode: 0o600,
    })
    stop.throwIfAborted()
    const { folder } = task.scratch
    const child = spawn(program, args, {
      cwd: folder,
      env: { PATH: path, HOME: folder, TMPDIR: folder },
      stdio: ['pipe', 'pipe', 'ignore'],
      // A group of its own, which can be ended as one.
      detached: true,
    })
    return await outputOf(child, `${task.framed.rules}\n\n${task.framed.block}\n`, stop)
  },
})

const told = ({ task_id, origin_id, purpose_id, result_schema, rights, classification }: WorkerTask) => ({
  task_id,
  origin_id,
  purpose_id,
  result_schema,
  rights,
  classification,
})

const outputOf = async (child: ChildProcess, input: string, stop: AbortSignal): Promise<string> => {
  const end = (): void => {
    endGroup(child)
  }
  stop.addEventListener('abort', end)
  child.once('exit', end)
  try {
    // Whoever doesn't read its input may still answer.
    child.stdin?.on('error', () => undefined).end(input)
    const printed = collect(child, end)
    await once(child, 'close')
    if (child.exitCode !== 0) throw new Error('the command failed')
    return printed()
  } finally {
    stop.removeEventListener('abort', end)
    end()
  }
}

const collect = (child: ChildProcess, end: () => void): (() => string) => {
  const parts: Uint8Array[] = []
  let length = 0
  child.stdout?.on('data', (part: Uint8Array) => {
    length += part.length
    if (length <= MOST_OUTPUT) parts.push(part)
    else end()
  })
  return () => {
    if (length > MOST_OUTPUT) throw new Error('the command printed too much')
    return Buffer.concat(parts).toString('utf8')
  }
}

/** Ends what the command has started, unless that has left its group. */
const endGroup = ({ pid }: ChildProcess): void => {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // There is nobody left.
  }
}
