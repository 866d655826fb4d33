import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from '@parley/protocol'
import {
  earClaims,
  eatClaims,
  eatJson,
  signDsse,
  signEar,
  signEatCwt,
  verdictStatement,
} from '../../src/results/index.js'
import { simulateRelay } from '../simulated-relay.js'
import { judgedOf, type ResultCase, resultCases, SIGNER } from './result-cases.js'
import { VECTORS } from './result-vectors.js'

// Writes the vectors of results anew: `node --conditions=source --import tsx verifier/test/results/make-result-vectors.ts`.
// The reports change each time, as a secure processor's signature does.

const KEPT = [
  'bundle-trusted',
  'bundle-software',
  'evidence-trusted',
  'bundle-consents-swapped',
  'bundle-malformed',
  'evidence-root-unknown',
  'evidence-simulated-without-leave',
  'evidence-tcb-too-old',
  'evidence-code-unknown',
]

const SOURCE = `Judged by this verifier with a key whose seed is 00 01 … 1f. The relay and the secure processor behind it are simulated;
the processor's keys were thrown away. Made by \`verifier/test/results/make-result-vectors.ts\`.
`

const pretty = (value: object): string => `${JSON.stringify(value, null, 2)}\n`

const statusOf = (ear: JsonObject, submod: string): unknown =>
  ((ear['submods'] as JsonObject)[submod] as JsonObject)['ear.status']

const write = async (name: string, given: ResultCase): Promise<void> => {
  const folder = join(VECTORS, name)
  const put = (file: string, content: string | Uint8Array): void => {
    writeFileSync(join(folder, file), content)
  }
  mkdirSync(folder, { recursive: true })
  const judged = await judgedOf(given)
  const ear = earClaims(judged)
  put('SOURCE.md', SOURCE)
  put(`${given.procedure}.json`, given.bytes)
  put('policy.json', pretty(given.policy as JsonObject))
  for (const { certificate } of given.roots) put('root.der', certificate)
  put(
    'expect.json',
    pretty({
      procedure: given.procedure,
      now: new Date(given.now).toISOString(),
      exit_code: judged.verdict.exit_code,
      cpu0: statusOf(ear, 'cpu0'),
      relay: statusOf(ear, 'relay'),
    }),
  )
  put('ear.json', pretty(ear))
  put('ear.jwt', `${await signEar(judged, SIGNER)}\n`)
  put('in-toto.json', pretty(await signDsse(verdictStatement(judged), SIGNER)))
  const claims = eatClaims(judged)
  if (claims === null) return
  put('eat.json', pretty(eatJson(claims)))
  put('eat.cwt', await signEatCwt(claims, SIGNER))
}

rmSync(VECTORS, { recursive: true, force: true })
const cases = await resultCases(await simulateRelay())
for (const name of KEPT) {
  const given = cases[name]
  if (given === undefined) throw new Error(`no case ${name}`)
  await write(name, given)
}
