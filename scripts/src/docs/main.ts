import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

// Runs the README's marked commands as a reader would: `<!-- run -->` blocks one after the other, `<!-- keep -->` blocks
// as programs that stay until the end. Any failure is the script's failure.

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

function run(text: string): void {
  process.stdout.write(`$ ${text}`)
  const { status } = spawnSync('bash', ['-ec', text], { cwd: root, stdio: 'inherit', timeout: 120_000 })
  if (status !== 0) throw new Error(`a README command ended with ${String(status)}:\n${text}`)
}

try {
  for (const { how, text } of blocks) (how === 'keep' ? keep : run)(text)
} finally {
  for (const child of kept) if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
}
