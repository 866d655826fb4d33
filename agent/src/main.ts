import { createInterface } from 'node:readline/promises'
import { outliveReader } from '@parley/verifier/node'
import { run } from './cli/run.js'
import { systemClock } from './clock.js'

const confirm = async (question: string): Promise<boolean> => {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(?:es)?$/i.test((await terminal.question(question)).trim())
  } finally {
    terminal.close()
  }
}

outliveReader(process.stdout)
process.exitCode = await run(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  env: process.env,
  confirm: process.stdin.isTTY ? confirm : null,
  clock: systemClock,
})
