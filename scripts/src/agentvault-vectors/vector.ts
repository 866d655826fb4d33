import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonValue } from '@parley/protocol'

/** What the reader of a receipt may hold beside it. */
export type Held = 'contract' | 'schema' | 'program' | 'policy' | 'profile' | 'output'

/** One receipt, the key that its reader pins, and what a verifier has to say. */
export type AgentVaultVector = {
  readonly name: string
  /** What the receipt is, and why it deserves its outcome. */
  readonly why: string
  readonly receipt: string
  /** Hex of 32 bytes. */
  readonly key: string
  readonly held: Readonly<Partial<Record<Held, JsonValue>>>
  readonly expect: {
    readonly exit_code: 0 | 4 | 5
    /** The failed checks with their codes. */
    readonly failed: Readonly<Record<string, string>>
    /** The output that the verdict shows. */
    readonly output: JsonValue
  }
}

/** The files of a vector by name. */
export const vectorFiles = (vector: AgentVaultVector): Readonly<Record<string, string>> => ({
  'receipt.json': vector.receipt,
  'key.hex': `${vector.key}\n`,
  ...Object.fromEntries(Object.entries(vector.held).map(([name, value]) => [`${name}.json`, pretty(value)])),
  'expect.json': pretty(vector.expect),
  'SOURCE.md': `${vector.why}\n\nMade by \`scripts/src/make-agentvault-vectors.ts\` with fixed keys; nothing in it comes from AgentVault.\n`,
})

const pretty = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/** Writes vectors anew, a folder each. */
export const writeAgentVaultVectors = (directory: string, vectors: readonly AgentVaultVector[]): void => {
  rmSync(directory, { recursive: true, force: true })
  for (const vector of vectors) {
    const folder = join(directory, vector.name)
    mkdirSync(folder, { recursive: true })
    for (const [name, text] of Object.entries(vectorFiles(vector))) writeFileSync(join(folder, name), text)
  }
}
