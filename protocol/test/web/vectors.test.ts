import { describe, expect, it, vi } from 'vitest'
import * as web from '../../src/web/crypto.js'
import { sha256 } from '../../src/digest.js'
import { CONSUMERS } from '../vectors/consumers.js'
import { readVectors } from '../vectors/vector.js'

// The page's half of #crypto under everything that the vectors reach.
vi.mock('#crypto', async () => await import('../../src/web/crypto.js'))

describe('every folder of vectors gives the same in a page, over noble', () => {
  it('runs on the half of the page', () => {
    expect(sha256).toBe(web.sha256)
  })

  it.each(readVectors().map((vector) => [vector.name, vector] as const))('%s', (_, vector) => {
    CONSUMERS[vector.kind]?.(vector)
  })
})
