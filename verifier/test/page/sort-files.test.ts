import { describe, expect, it } from 'vitest'
import { kindOf, type NamedFile, sortFiles } from '../../page/sort-files.js'

const file = (name: string, content = '\u0000'): NamedFile => ({
  name,
  bytes: new TextEncoder().encode(content),
})

const BUNDLE = file('a.json', '{"evidence":{"version":"parley-evidence-v1"},"version":"parley-bundle-v1"}')
const EVIDENCE = file('b.json', '{"version":"parley-evidence-v1"}')
const POLICY = file('c.json', '{"version":"parley-policy-v1"}')
const REPORT = file('report.bin')
const QUOTE = file('quote.bin')
const ARK = file('ark.der')
const CRL = file('ark.crl')

describe('kindOf', () => {
  it.each<[string, NamedFile, string]>([
    ['a bundle, though it holds evidence', BUNDLE, 'bundle'],
    ['an evidence document', EVIDENCE, 'evidence'],
    ['a policy', POLICY, 'policy'],
    ['a bundle that is cut short', file('x', '{"version":"parley-bundle-v1"'), 'bundle'],
    ['a bundle that lost its mark, by its name', file('x.parley.json', '{}'), 'bundle'],
    ['a certificate, in any case', file('X.DER'), 'certificate'],
    ['a list of revoked certificates', CRL, 'crl'],
    ['a report', REPORT, 'binary'],
    ['JSON of another kind', file('expected.json', '{}'), 'other'],
    ['a text', file('SOURCE.md', 'made by'), 'other'],
    ['a certificate that says it is JSON', file('x.der', '{'), 'other'],
    ['an empty file', file('x.json', ''), 'other'],
  ])('knows %s', (_, given, kind) => {
    expect(kindOf(given)).toBe(kind)
  })
})

describe('sortFiles', () => {
  it('takes certificates beside a bundle as extra roots', () => {
    expect(sortFiles([ARK, POLICY, BUNDLE])).toEqual({
      subject: { kind: 'bundle', file: BUNDLE },
      policy: POLICY,
      roots: [ARK],
      unused: [],
    })
  })

  it('takes certificates and a CRL beside a report as its own', () => {
    expect(sortFiles([ARK, CRL, REPORT])).toEqual({
      subject: { kind: 'report', file: REPORT, certificates: [ARK], crl: CRL },
      policy: null,
      roots: [],
      unused: [],
    })
  })

  it('prefers report.bin to other binaries, and a binary of another name is a raw quote', () => {
    expect(sortFiles([QUOTE, REPORT])).toMatchObject({
      subject: { kind: 'report', file: REPORT },
      unused: ['quote.bin'],
    })
    expect(sortFiles([QUOTE]).subject).toMatchObject({ kind: 'quote', file: QUOTE })
  })

  it('judges one thing: a bundle before evidence, evidence before a report', () => {
    expect(sortFiles([REPORT, EVIDENCE, BUNDLE])).toMatchObject({
      subject: { kind: 'bundle' },
      unused: ['report.bin', 'b.json'],
    })
    expect(sortFiles([REPORT, EVIDENCE]).subject).toMatchObject({ kind: 'evidence' })
  })

  it('names what it does not use, a CRL beside a bundle too', () => {
    expect(sortFiles([file('notes.txt'), CRL, BUNDLE]).unused).toEqual(['notes.txt', 'ark.crl'])
  })

  it('finds nothing in nothing', () => {
    expect(sortFiles([])).toEqual({ subject: null, policy: null, roots: [], unused: [] })
  })
})
