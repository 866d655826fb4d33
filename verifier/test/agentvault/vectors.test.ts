import { fromUtf8, isJsonObject, type JsonObject, type JsonValue, parseJson } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { refusedVectors } from '../../../scripts/src/agentvault-vectors/refused-vectors.js'
import { trustedVectors } from '../../../scripts/src/agentvault-vectors/trusted-vectors.js'
import { vectorFiles } from '../../../scripts/src/agentvault-vectors/vector.js'
import { isForeign } from '../../src/agentvault/foreign-receipt.js'
import { verifyAgentVaultReceipt } from '../../src/agentvault/verify-agentvault-receipt.js'
import { parseReceiptKey } from '../../src/receipt-key.js'
import type { Verdict } from '../../src/verdict.js'
import { verifyReceiptFile } from '../../src/verify-receipt.js'
import { readVectors, type VectorFiles } from './read-vectors.js'

const ARTEFACTS = ['contract', 'schema', 'program', 'policy', 'profile'] as const
const KNOWN = [...ARTEFACTS, 'output', 'receipt', 'expect'].map((name) => `${name}.json`)

const bytesOf = ({ files }: VectorFiles, name: string): Uint8Array => files.get(name) ?? new Uint8Array()
const json = (vector: VectorFiles, name: string): JsonValue => parseJson(bytesOf(vector, name))
const object = (vector: VectorFiles, name: string): JsonObject => {
  const value = json(vector, name)
  return isJsonObject(value) ? value : {}
}

const judge = (vector: VectorFiles): Promise<Verdict> | Verdict => {
  const key = parseReceiptKey(fromUtf8(bytesOf(vector, 'key.hex')))
  const bytes = bytesOf(vector, 'receipt.json')
  if (!isForeign(bytes)) return verifyReceiptFile({ bytes, key })
  const held = ARTEFACTS.filter((name) => vector.files.has(`${name}.json`))
  return verifyAgentVaultReceipt({
    bytes,
    key,
    artefacts: Object.fromEntries(held.map((name) => [name, object(vector, `${name}.json`)])),
    ...(vector.files.has('output.json') ? { output: json(vector, 'output.json') } : {}),
    report: null,
  })
}

const failures = ({ checks }: Verdict): JsonObject =>
  Object.fromEntries(
    checks.filter(({ result }) => result === 'failed').map(({ name, code = '' }) => [name, code]),
  )

const vectors = readVectors()

describe('every folder of AgentVault vectors gives what it expects', () => {
  it.each(vectors.map((vector) => [vector.name, vector] as const))('%s', async (_, vector) => {
    const verdict = await judge(vector)
    expect({
      exit_code: verdict.exit_code,
      failed: failures(verdict),
      output: verdict.output,
    }).toEqual(json(vector, 'expect.json'))
    expect(verdict.trusted).toBe(verdict.exit_code === 0)
    expect(verdict.assurance_level).not.toBe('TEE_ATTESTED')
  })

  it('each of their files is one that this runner reads', () => {
    for (const { files } of vectors)
      for (const name of files.keys()) expect([...KNOWN, 'key.hex', 'SOURCE.md']).toContain(name)
  })

  it('they are what the script makes, byte for byte', () => {
    const made = [...trustedVectors(), ...refusedVectors()]
    expect(
      new Map(
        vectors.map(({ name, files }) => [
          name,
          new Map([...files].map(([file, bytes]) => [file, fromUtf8(bytes)])),
        ]),
      ),
    ).toEqual(new Map(made.map((vector) => [vector.name, new Map(Object.entries(vectorFiles(vector)))])))
  })

  it('there are more to refuse than to trust', () => {
    expect(refusedVectors().length).toBeGreaterThan(trustedVectors().length)
  })
})
