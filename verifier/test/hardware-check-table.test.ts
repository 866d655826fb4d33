import { readFileSync } from 'node:fs'
import { missingBoot } from '@parley/attestation'
import { describe, expect, it } from 'vitest'
import { hardwareRow } from '../src/hardware-check-table.js'
import { verdictText } from '../src/index.js'
import { verdictOf } from './results/result-cases.js'
import { readVector } from './results/result-vectors.js'

describe('the table of the steps on hardware', () => {
  it('has a row for every step that a verdict shows', async () => {
    const { hardware } = await verdictOf(readVector('evidence-trusted').given)
    expect(hardware.length).toBeGreaterThan(20)
    expect(
      hardware.map(({ name }) => name).filter((name) => hardwareRow(name).says === 'as expected'),
    ).toEqual([])
  })

  it('has no row for a step that there is not', async () => {
    const { hardware } = await verdictOf(readVector('evidence-trusted').given)
    const source = readFileSync(new URL('../src/hardware-check-table.ts', import.meta.url), 'utf8')
    const rows = [...source.matchAll(/^ {2}(\w+): (?:row|expected)\(/gm)].map(([, name]) => name)
    // Shown only where the evidence has a CRL, or the machine a TPM.
    const boot = missingBoot().checks.map(({ name }) => name)
    const steps = new Set([...hardware.map(({ name }) => name), 'revocation', ...boot])
    expect(rows.toSorted()).toEqual([...steps].toSorted())
  })

  it('lets the text say of each step that ran what it was checked against', async () => {
    const verdict = await verdictOf(readVector('bundle-trusted').given)
    const ran = verdictText(verdict)
      .split('\n')
      .filter((line) => line.includes('[trusted: '))
    expect(ran.length).toBeGreaterThan(verdict.hardware.length)
    for (const line of ran) expect(line).toMatch(/; against \S.* \[trusted: [^\]]+\]$/)
  })
})
