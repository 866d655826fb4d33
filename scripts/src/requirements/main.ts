import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkRequirements } from './check-requirements.js'
import { readTests } from './read-tests.js'

// `npm run requirements [-- --write]`: ends with 1 where an id has no test, or the table of SPEC.md is not what the
// titles of the tests say; --write fills its last column.

const root = join(import.meta.dirname, '../../..')
const path = join(root, 'protocol/SPEC.md')
const write = process.argv.includes('--write')

const before = readFileSync(path, 'utf8')
const tests = readTests(root)
const first = checkRequirements(before, tests)
if (write && first.spec !== before) writeFileSync(path, first.spec)
const { complaints } = write ? checkRequirements(first.spec, tests) : first
process.stdout.write(
  complaints.map((complaint) => `${complaint}\n`).join('') || 'every requirement has its test\n',
)
process.exitCode = complaints.length === 0 ? 0 : 1
