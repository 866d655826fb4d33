import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createContext, Script } from 'node:vm'
import { parseContract, parseJson } from '@parley/protocol'
import { build } from 'vite'
import { expect, test } from 'vitest'
import { admitContract, evaluateProgram, guardDraft, parseGuardianPolicy } from '../src/index.js'

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))
const text = (file: string) => readFileSync(path(`../../registry/${file}`), 'utf8')
const contract = text('contracts/negotiation-band.json')
const policy = text('policies/bounded-signal.json')
const inputs =
  '{"initiator":{"ceiling":120000,"currency":"EUR"},"responder":{"floor":110000,"currency":"EUR"}}'

/** The library as one script for a page. */
const bundle = async (): Promise<string> => {
  const built = await build({
    configFile: false,
    root: path('..'),
    logLevel: 'error',
    resolve: { conditions: ['source', 'browser', 'default'] },
    build: {
      write: false,
      minify: false,
      lib: { entry: path('../src/index.ts'), formats: ['iife'], name: 'guardian' },
    },
  })
  const [output] = Array.isArray(built) ? built : []
  const [chunk] = output?.output ?? []
  if (chunk?.type !== 'chunk') throw new Error('vite built no script')
  return chunk.code
}

const SESSION = `
  const policy = guardian.parseGuardianPolicy(JSON.parse(policyText))
  const admission = guardian.admitContract({ contract: JSON.parse(contractText), policy })
  const { program, output: shape, capacity, program_hash } = admission.admitted
  const evaluation = guardian.evaluateProgram(program, JSON.parse(inputsText))
  const decision = guardian.guardDraft({ shape, policy, draft: evaluation.value })
  JSON.stringify({ capacity, program_hash, evaluation, decision })
`

test('a page that forbids eval, with nothing of Node in it, decides the same bytes', async () => {
  const page = createContext(
    { TextEncoder, TextDecoder, contractText: contract, policyText: policy, inputsText: inputs },
    { codeGeneration: { strings: false, wasm: false } },
  )
  expect(() => {
    new Script('eval("1")').runInContext(page)
  }).toThrow()
  new Script(await bundle()).runInContext(page)
  const inPage: unknown = new Script(SESSION).runInContext(page)

  const parsed = parseGuardianPolicy(parseJson(policy))
  const admission = admitContract({ contract: parseContract(parseJson(contract)), policy: parsed })
  if (!admission.ok) throw new Error(admission.code)
  const { program, output: shape, capacity, program_hash } = admission.admitted
  const evaluation = evaluateProgram(program, JSON.parse(inputs) as Parameters<typeof evaluateProgram>[1])
  if (!evaluation.ok) throw new Error(evaluation.code)
  const decision = guardDraft({ shape, policy: parsed, draft: evaluation.value })
  expect(inPage).toBe(JSON.stringify({ capacity, program_hash, evaluation, decision }))
  expect(decision).toMatchObject({ ok: true, output: { band: 'THOUSANDS', overlap: 'MODERATE' } })
})
