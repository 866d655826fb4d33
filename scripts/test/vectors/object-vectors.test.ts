import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { objectVectors, withExamples } from '../../src/vectors/object-vectors.js'

const inProtocol = (path: string): string =>
  readFileSync(join(import.meta.dirname, '../../../protocol', path), 'utf8')

describe('the specification', () => {
  it('shows the vectors as its examples', () => {
    const spec = inProtocol('SPEC.md')
    expect(withExamples(spec)).toBe(spec)
    expect(withExamples(spec.replace('parley-offer-v1', 'parley-offer-v2'))).toBe(spec)
  })

  it.each(objectVectors())('has the committed file $path', ({ path, text }) => {
    expect(inProtocol(`vectors/objects/${path}`)).toBe(text)
  })
})
