import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Gives the run a temporary folder of its own, which all its workers inherit, and removes it at the end. */
export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'parley-test-'))
  process.env['TMPDIR'] = folder
  return () => {
    rmSync(folder, { recursive: true, force: true })
  }
}
