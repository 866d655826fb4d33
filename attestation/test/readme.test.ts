import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { appraiseEvidence, parseAppraisalPolicy } from '../src/index.js'
import { genuineInput, vectorNames } from './evidence-folder.js'
import { examplePolicy, policyWith, REPORT_DATA } from './policies.js'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

it('the example policy is one, and the README points to it', () => {
  expect(parseAppraisalPolicy(examplePolicy()).products).toEqual(['Milan', 'Genoa'])
  expect(readme).toContain('(examples/appraisal-policy.json)')
})

it('the README names every member of a policy', () => {
  const [, chapter = ''] = readme.split('## A policy')
  const spelt = chapter.replace('`committed_…` `current_…`', '`committed_tcb_minimum` `current_tcb_minimum`')
  for (const member of Object.keys(examplePolicy())) {
    if (member !== 'waive') expect(spelt).toContain(`\`${member}\``)
  }
})

describe('the table beside others', () => {
  const [, rest = ''] = readme.split('## Beside others')
  const [table = ''] = rest.split('\n## ')

  it('has a row for every check', async () => {
    const input = genuineInput('milan-v3-vcek')
    const expected = { policy: policyWith(), reportData: REPORT_DATA }
    const { checks } = await appraiseEvidence(input, expected, input)
    const spelt = table
      .replace(
        '`committed_`, `current_`, `launch_tcb',
        '`committed_tcb_minimum`, `current_tcb_minimum`, `launch_tcb',
      )
      .replace('`current_`, `committed_version', '`current_version_minimum`, `committed_version')
    for (const { name } of checks) expect(spelt).toContain(`\`${name}\``)
  })

  it('names tests and vectors that there are', () => {
    const files = [...table.matchAll(/`([a-z/-]+\.test\.ts)`/g)].map(([, file]) => file ?? '')
    for (const file of files)
      expect({ file, there: existsSync(new URL(file, import.meta.url)) }).toEqual({ file, there: true })
    const vectors = [...table.matchAll(/v:`([^`]+)`/g)].map(([, name]) => name ?? '')
    for (const name of vectors) if (name !== '') expect(vectorNames()).toContain(name)
    expect([files.length > 30, vectors.length > 20]).toEqual([true, true])
  })
})
