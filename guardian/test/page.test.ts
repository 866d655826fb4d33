import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createContext, Script } from 'node:vm'
import { parseContract, parseJson } from '@parley/protocol'
import { build } from 'vite'
import { expect, test } from 'vitest'
import {
  admitContract,
  evaluateProgram,
  guardDraft,
  NO_REGISTRY,
  parseGuardianPolicy,
  type ProgramInputs,
} from '../src/index.js'

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))
const text = (file: string) => readFileSync(path(`../../registry/${file}`), 'utf8')
const contract = text('contracts/negotiation-band.json')
const policy = text('policies/sha256-3e4d4e61bf771575ec2029004b8168b11ec6ac18a41a142b12a815f5a554bc72.json')
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
  const relay = { registry: guardian.NO_REGISTRY, evaluators: ['cel'] }
  const admission = guardian.admitContract({ ...relay, contract: JSON.parse(contractText), policy })
  const { program, output: shape, capacity, program_hash } = admission.admitted
  const read = JSON.parse(inputsText)
  const evaluation = guardian.evaluateProgram(program, read)
  const inputs = [read.initiator, read.responder]
  const decision = guardian.guardDraft({ shape, policy, inputs, draft: evaluation.value })
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
  const relay = { registry: NO_REGISTRY, evaluators: ['cel'] } as const
  const admission = admitContract({ ...relay, contract: parseContract(parseJson(contract)), policy: parsed })
  if (!admission.ok) throw new Error(admission.code)
  const { program, output: shape, capacity, program_hash } = admission.admitted
  if (program === null) throw new Error('no program')
  const read = JSON.parse(inputs) as ProgramInputs
  const evaluation = evaluateProgram(program, read)
  if (!evaluation.ok) throw new Error(evaluation.code)
  const both = [read.initiator ?? null, read.responder ?? null]
  const decision = guardDraft({ shape, policy: parsed, inputs: both, draft: evaluation.value })
  expect(inPage).toBe(JSON.stringify({ capacity, program_hash, evaluation, decision }))
  expect(decision).toMatchObject({ ok: true, output: { band: 'THOUSANDS', overlap: 'MODERATE' } })
})
