import { join } from 'node:path'
import { CHECKS } from './checks.js'
import { openTerraform } from './terraform.js'

// `make terraform`.
const terraform = openTerraform()
try {
  for (const [name, check] of Object.entries(CHECKS)) {
    const { ok, text } = check(terraform, join(import.meta.dirname, '..'))
    process.stdout.write(`${ok ? 'passed' : 'FAILED'}  ${name}\n`)
    if (ok) continue
    process.stdout.write(text)
    process.exitCode = 1
  }
} finally {
  terraform.close()
}
