import { crypto } from '#crypto'
import { describe, expect, it, vi } from 'vitest'
import { verifyReport } from '../../src/index.js'
import { crypto as web } from '../../src/web/crypto.js'
import { codeOf, readVector, vectorNames } from '../evidence-folder.js'

vi.mock('#crypto', () => import('../../src/web/crypto.js'))

describe('the vectors of evidence, by WebCrypto', () => {
  it('runs on WebCrypto, not on what Node would take', () => {
    expect(crypto).toBe(web)
  })

  it.each(vectorNames())('%s is judged as its expect.json says', async (name) => {
    const { expected, now, roots, evidence } = readVector(name)
    expect(await codeOf(() => verifyReport({ ...evidence(), now, roots }))).toBe(expected.code)
  })
})
