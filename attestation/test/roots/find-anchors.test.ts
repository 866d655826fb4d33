import { describe, expect, it } from 'vitest'
import { AMD_INTERMEDIATES, AMD_ROOTS, judgeGenuine, readCertificates } from '../../src/index.js'
import { findAnchors } from '../../src/roots/find-anchors.js'
import { codeOf, genuineInput } from '../evidence-folder.js'

const milan = readCertificates(genuineInput('milan-v3-vcek').certificates)
const roots = milan.filter(({ subject }) => subject.commonName === 'ARK-Milan')

describe('the roots that are trusted', () => {
  it('are one for each product line of AMD, each by two digests', () => {
    expect(AMD_ROOTS.map(({ name, product }) => [name, product])).toEqual([
      ['ARK-Milan', 'Milan'],
      ['ARK-Genoa', 'Genoa'],
      ['ARK-Turin', 'Turin'],
    ])
    for (const { certificate, spki } of [...AMD_ROOTS, ...AMD_INTERMEDIATES]) {
      expect(certificate).toMatch(/^[0-9a-f]{64}$/)
      expect(spki).toMatch(/^[0-9a-f]{64}$/)
    }
    expect(new Set([...AMD_ROOTS, ...AMD_INTERMEDIATES].map(({ certificate }) => certificate)).size).toBe(9)
  })

  it('are simulated where the caller passed them in', async () => {
    const anchors = await findAnchors(milan, roots, 'Milan')
    expect(anchors.map(({ trusted_for }) => trusted_for)).toEqual(['simulated root'])
  })

  it('are none that merely bears the name', async () => {
    expect(await codeOf(() => findAnchors(milan, [], 'Milan'))).toBe('root_not_pinned')
  })

  it('have to be in the evidence, also where the caller knows them', async () => {
    expect(await codeOf(() => findAnchors([], roots, 'Milan'))).toBe('collateral_missing')
    expect(await codeOf(() => findAnchors(milan, roots, 'Genoa'))).toBe('collateral_missing')
  })

  it('never make simulated evidence look like that of AMD', async () => {
    const judged = await judgeGenuine(genuineInput('milan-v3-vcek'))
    expect(judged.simulated).toBe(true)
    expect(judged.checks.map(({ trusted_for }) => trusted_for)).not.toContain('amd')
  })
})
