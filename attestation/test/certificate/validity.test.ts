import { describe, expect, it } from 'vitest'
import { DerReader } from '../../src/certificate/der.js'
import { readValidity } from '../../src/certificate/validity.js'
import { codeOf } from '../evidence-folder.js'

const time = (text: string): number[] => [
  text.length > 13 ? 0x18 : 0x17,
  text.length,
  ...new TextEncoder().encode(text),
]

const read = (from: string, to = from): { notBeforeMs: number; notAfterMs: number } => {
  const content = [...time(from), ...time(to)]
  return readValidity(new DerReader(Uint8Array.of(0x30, content.length, ...content)))
}

describe('a validity', () => {
  it('is in UTC, with two digits of the year until 2049', () => {
    expect(read('201022172305Z', '491231235959Z')).toEqual({
      notBeforeMs: Date.UTC(2020, 9, 22, 17, 23, 5),
      notAfterMs: Date.UTC(2049, 11, 31, 23, 59, 59),
    })
    expect(read('500101000000Z').notBeforeMs).toBe(Date.UTC(1950, 0, 1))
    expect(read('20500101000000Z').notBeforeMs).toBe(Date.UTC(2050, 0, 1))
    expect(read('240229000000Z').notBeforeMs).toBe(Date.UTC(2024, 1, 29))
  })

  it.each([
    '230229000000Z',
    '201301000000Z',
    '200001000000Z',
    '200100000000Z',
    '200132000000Z',
    '200101240000Z',
    '200101006000Z',
    '200101000060Z',
    '200101000000z',
    '2001010000Z',
    '2001010000000',
    '20010100000+1',
    '20010100 000Z',
    '20490101000000Z',
    '20500230000000Z',
    '2050010100000.Z',
    '20500101000000.5Z',
  ])('of %s is refused', async (text) => {
    expect(await codeOf(() => read(text))).toBe('certificate_malformed')
  })
})
