import { spawn, type ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

// Runs the README's marked commands as a reader would: `<!-- run -->` blocks one after the other, `<!-- keep -->` blocks
// as programs that stay until the end. Any failure is the script's failure, also of a program that did not stay.

const root = join(import.meta.dirname, '../../..')
const BLOCK = /<!-- (run|keep) -->\n```sh\n([\s\S]*?)```/g
const readme = readFileSync(join(root, 'README.md'), 'utf8')
const blocks = [...readme.matchAll(BLOCK)].map(([, how, text]) => ({ how: how ?? '', text: text ?? '' }))
if (blocks.length === 0) throw new Error('README.md has no marked commands')

const kept: ChildProcess[] = []

function keep(text: string): void {
  // Its own process group, so that the shell and what it started end together.
  kept.push(spawn('bash', ['-ec', text], { cwd: root, stdio: 'inherit', detached: true }))
}

function run(text: string): Promise<void> {
  process.stdout.write(`$ ${text}`)
  const child = spawn('bash', ['-ec', text], { cwd: root, stdio: 'inherit', timeout: 120_000 })
  return new Promise((resolve, reject) => {
    child.once('close', (code) => {
      if (code === 0) resolve()
      else reject(new Error(`a README command ended with ${String(code)}:\n${text}`))
    })
  })
}

function requireKept(): void {
  for (const { exitCode, spawnargs } of kept)
    if (exitCode !== null) throw new Error(`a README program did not stay: ${spawnargs.join(' ')}`)
}

try {
  for (const { how, text } of blocks) {
    if (how === 'keep') keep(text)
    else await run(text)
  }
  requireKept()
} finally {
  for (const { pid, exitCode } of kept)
    if (pid !== undefined && exitCode === null) process.kill(-pid, 'SIGTERM')
}
