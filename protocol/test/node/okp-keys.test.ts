import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const SOURCE = join(import.meta.dirname, '../../src')
const ROUNDS = 20_000
const WATCHDOG_MS = 240_000

// In a process of its own: Node 20 deadlocks in native code, where no timer of the same process would run.
const generate = `
  import { generateSigningKey } from ${JSON.stringify(join(SOURCE, 'ed25519.ts'))}
  import { x25519Generate } from ${JSON.stringify(join(SOURCE, 'node/x25519.ts'))}
  const peer = x25519Generate()
  const seen = new Set()
  for (let i = 0; i < ${ROUNDS}; i++) {
    seen.add(Buffer.from(generateSigningKey().publicKey).toString('hex'))
    seen.add(Buffer.from(x25519Generate().agree(peer.publicKey)).toString('hex'))
  }
  process.stdout.write(String(seen.size))
`

describe('key generation', () => {
  it(
    `makes ${ROUNDS} different keys of each curve without a deadlock`,
    () => {
      const made = execFileSync(
        process.execPath,
        ['--conditions=source', '--import', 'tsx', '--input-type=module', '--eval', generate],
        { encoding: 'utf8', timeout: WATCHDOG_MS, killSignal: 'SIGKILL', cwd: join(SOURCE, '..') },
      )
      expect(made).toBe(String(2 * ROUNDS))
    },
    WATCHDOG_MS + 10_000,
  )
})
