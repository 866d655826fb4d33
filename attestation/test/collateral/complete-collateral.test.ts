import { beforeAll, describe, expect, it } from 'vitest'
import { createSimulatedVendor, makeAuthorityKeys } from '../../../scripts/src/processor/index.js'
import {
  AttestationError,
  type CollateralTerms,
  completeCollateral,
  type IncompleteEvidence,
  judgeGenuine,
} from '../../src/index.js'
import { codeOf } from '../evidence-folder.js'
import { DAY_MS, type Machine, machine, memoryCache, NOW } from './simulated-kds.js'

let milan: Machine
let turin: Machine
let vlek: Machine
let old: Machine
beforeAll(async () => {
  milan = await machine('Milan')
  turin = await machine('Turin')
  vlek = await machine('Milan', 'vlek')
  old = await machine('Milan', 'vcek', 2)
})

type Answers = Readonly<Record<string, Uint8Array | AttestationError>>

/** KDS as a table of paths without their queries; it counts what it is asked. */
const kdsOf = (answers: Answers) => {
  const asked: string[] = []
  return {
    asked,
    kds: (path: string): Promise<Uint8Array> => {
      asked.push(path)
      const answer = answers[path.split('?')[0]?.replace(/[0-9a-f]{16,}$/, 'CHIP') ?? '']
      return answer instanceof Uint8Array
        ? Promise.resolve(answer)
        : Promise.reject(answer ?? new AttestationError('collateral_unavailable', 'no such path'))
    },
  }
}

const honest = ({ chainPem, leaf, crl }: Machine, product = 'Milan', kind = 'vcek'): Answers => ({
  [`/${kind}/v1/${product}/cert_chain`]: chainPem,
  [`/${kind}/v1/${product}/CHIP`]: leaf,
  [`/${kind}/v1/${product}/crl`]: crl(),
})

const evidenceOf = (one: Machine, changes: Partial<IncompleteEvidence> = {}): IncompleteEvidence => ({
  report: one.report,
  certificates: [],
  crls: [],
  ...changes,
})

const complete = (one: Machine, evidence: IncompleteEvidence, terms: Partial<CollateralTerms> = {}) =>
  completeCollateral(evidence, { now: NOW, roots: one.roots, cache: null, kds: null, ...terms })

const sources = ({ items }: Awaited<ReturnType<typeof complete>>): (string | null)[] =>
  items.map(({ source, code }) => source ?? code)

const isGenuine = async (
  one: Machine,
  { certificates }: Awaited<ReturnType<typeof complete>>,
): Promise<boolean> =>
  (await judgeGenuine({ report: one.report, certificates, now: NOW, roots: one.roots })).genuine

describe('collateral that is all there', () => {
  it('is taken from the evidence, and nobody is asked', async () => {
    const { kds, asked } = kdsOf({})
    const crl = milan.crl()
    const evidence = evidenceOf(milan, { certificates: [milan.leaf, ...milan.chain], crls: [crl] })
    const found = await complete(milan, evidence, { kds })
    expect([found.complete, found.crl]).toEqual([true, crl])
    expect(sources(found)).toEqual(['evidence', 'evidence', 'evidence'])
    expect(await isGenuine(milan, found)).toBe(true)
    expect(asked).toEqual([])
  })

  it('may come with a VLEK, which needs its provider’s chain', async () => {
    const evidence = evidenceOf(vlek, { certificates: [vlek.leaf, ...vlek.chain], crls: [vlek.crl()] })
    const found = await complete(vlek, evidence)
    expect(found.items.map(({ name }) => name)).toEqual(['vlek-Milan-chain.pem', 'vlek', 'vlek-Milan.crl'])
    expect(found.complete).toBe(true)
    expect(await isGenuine(vlek, found)).toBe(true)
  })
})

describe('collateral that is missing', () => {
  it('is asked for at KDS, chain first, and kept', async () => {
    const { kds, asked } = kdsOf(honest(milan))
    const cache = memoryCache()
    const found = await complete(milan, evidenceOf(milan), { kds, cache })
    expect(sources(found)).toEqual(['kds', 'kds', 'kds'])
    expect(await isGenuine(milan, found)).toBe(true)
    expect(asked.map((path) => path.split('?')[0]?.replace(/[0-9a-f]{128}/, 'CHIP'))).toEqual([
      '/vcek/v1/Milan/cert_chain',
      '/vcek/v1/Milan/CHIP',
      '/vcek/v1/Milan/crl',
    ])
    const again = await complete(milan, evidenceOf(milan), { cache })
    expect(sources(again)).toEqual(['cache', 'cache', 'cache'])
    expect(await isGenuine(milan, again)).toBe(true)
  })

  it('is asked for by Turin’s own rules', async () => {
    const { kds, asked } = kdsOf(honest(turin, 'Turin'))
    expect((await complete(turin, evidenceOf(turin), { kds })).complete).toBe(true)
    expect(asked[1]).toMatch(/^\/vcek\/v1\/Turin\/[0-9a-f]{16}\?fmcSPL=01&/)
  })

  it('is missing where nobody may be asked', async () => {
    const found = await complete(milan, evidenceOf(milan), { cache: memoryCache() })
    expect(found).toMatchObject({ complete: false, certificates: [], crl: null })
    expect(sources(found)).toEqual(['collateral_missing', 'collateral_missing', 'collateral_missing'])
  })

  it('is missing item by item, for the reason that each has', async () => {
    const answers = {
      ...honest(milan),
      '/vcek/v1/Milan/CHIP': new AttestationError('collateral_throttled', 'later'),
    }
    const found = await complete(milan, evidenceOf(milan), kdsOf(answers))
    expect(sources(found)).toEqual(['kds', 'collateral_throttled', 'kds'])
    expect(found.certificates).toHaveLength(2)
  })

  it('is not asked for any further without authorities to tell it by', async () => {
    const { kds, asked } = kdsOf({})
    expect(sources(await complete(milan, evidenceOf(milan), { kds }))).toEqual([
      'collateral_unavailable',
      'collateral_unavailable',
      'collateral_unavailable',
    ])
    expect(asked).toEqual(['/vcek/v1/Milan/cert_chain'])
  })

  it('and a VLEK is not asked for at all: KDS gives it to its provider alone', async () => {
    const { kds, asked } = kdsOf(honest(vlek, 'Milan', 'vlek'))
    expect(sources(await complete(vlek, evidenceOf(vlek), { kds }))).toEqual([
      'kds',
      'collateral_missing',
      'kds',
    ])
    expect(asked).toEqual(['/vlek/v1/Milan/cert_chain', '/vlek/v1/Milan/crl'])
  })

  it('and of a masked chip is not asked for, but taken if it is there', async () => {
    const report = milan.processor.attest({ chipId: new Uint8Array(64) })
    const held = { report, certificates: milan.chain, crls: [milan.crl()] }
    const { kds } = kdsOf(honest(milan))
    expect(sources(await complete(milan, held, { kds }))).toEqual([
      'evidence',
      'collateral_missing',
      'evidence',
    ])
    const with_ = { ...held, certificates: [milan.leaf, ...milan.chain] }
    expect((await complete(milan, with_, { kds })).complete).toBe(true)
  })
})

describe('collateral of another chip, TCB or vendor', () => {
  it.each([
    ['of another TCB', { tcb: Uint8Array.of(3, 0, 0, 0, 0, 0, 24, 219) }],
    ['of another chip', { hwID: new Uint8Array(64).fill(7) }],
    ['of the other kind', { kind: 'vlek' as const }],
  ])('is passed over in the evidence: a leaf %s', async (_, changes) => {
    const evidence = evidenceOf(milan, { certificates: [milan.leafFor(changes), ...milan.chain] })
    expect(sources(await complete(milan, evidence, kdsOf(honest(milan))))).toEqual(['evidence', 'kds', 'kds'])
  })

  it('is passed over where it has run out, since AMD issues it anew', async () => {
    const expired = milan.leafFor({}, { notBeforeMs: NOW - 2 * DAY_MS, notAfterMs: NOW - DAY_MS })
    const evidence = evidenceOf(milan, { certificates: [expired, ...milan.chain] })
    expect(sources(await complete(milan, evidence, kdsOf(honest(milan))))[1]).toBe('kds')
  })

  it.each([
    ['of another TCB', { tcb: Uint8Array.of(3, 0, 0, 0, 0, 0, 24, 219) }],
    ['of another chip', { hwID: new Uint8Array(64).fill(7) }],
  ])('is refused from KDS, and does not enter the cache: a leaf %s', async (_, changes) => {
    const cache = memoryCache()
    const answers = { ...honest(milan), '/vcek/v1/Milan/CHIP': milan.leafFor(changes) }
    const found = await complete(milan, evidenceOf(milan), { ...kdsOf(answers), cache })
    expect(sources(found)).toEqual(['kds', 'collateral_unexpected', 'kds'])
    expect([...cache.held.keys()].filter((name) => name.endsWith('.der'))).toEqual([])
  })

  it('is refused from KDS where another vendor signed it under the same names', async () => {
    const vendor = createSimulatedVendor({ product: 'Milan', keys: await makeAuthorityKeys(), nowMs: NOW })
    const forged = vendor.issueLeaf(milan.processor.leafSubject, milan.processor.leafSpki)
    const answers = { ...honest(milan), '/vcek/v1/Milan/CHIP': forged }
    expect(sources(await complete(milan, evidenceOf(milan), kdsOf(answers)))[1]).toBe('collateral_unexpected')
    const chain = [vendor.intermediates.vcek, vendor.root]
    const other = evidenceOf(milan, { certificates: [forged, ...chain] })
    expect(sources(await complete(milan, other, kdsOf(honest(milan))))).toEqual(['kds', 'kds', 'kds'])
  })

  it('is refused where its root is nobody’s', async () => {
    const found = await complete(milan, evidenceOf(milan), { ...kdsOf(honest(milan)), roots: [] })
    expect(sources(found)[0]).toBe('collateral_unexpected')
  })

  it.each([
    ['nothing', new Uint8Array()],
    ['a page', new TextEncoder().encode('<html></html>')],
    ['a certificate that is cut short', Uint8Array.of(0x30, 0x82, 0x05)],
  ])('is refused where KDS answers with %s', async (_, bytes) => {
    const answers = { '/vcek/v1/Milan/cert_chain': bytes }
    expect(sources(await complete(milan, evidenceOf(milan), kdsOf(answers)))[0]).toBe('collateral_unexpected')
  })

  it('in the cache is asked for again', async () => {
    const cache = memoryCache()
    await complete(milan, evidenceOf(milan), { ...kdsOf(honest(milan)), cache })
    for (const name of cache.held.keys()) cache.held.set(name, Uint8Array.of(1))
    expect(sources(await complete(milan, evidenceOf(milan), { cache }))[0]).toBe('collateral_missing')
    const found = await complete(milan, evidenceOf(milan), { ...kdsOf(honest(milan)), cache })
    expect(sources(found)).toEqual(['kds', 'kds', 'kds'])
    expect(sources(await complete(milan, evidenceOf(milan), { cache }))).toEqual(['cache', 'cache', 'cache'])
  })
})

describe('a CRL', () => {
  const held = (crls: readonly Uint8Array[]) =>
    evidenceOf(milan, { certificates: [milan.leaf, ...milan.chain], crls })
  const crlOf = async (crls: readonly Uint8Array[], terms: Partial<CollateralTerms> = {}) =>
    sources(await complete(milan, held(crls), terms))[2]

  it('at its nextUpdate counts no more, and a new one is asked for', async () => {
    const over = milan.crl({ nextUpdateMs: NOW })
    expect(await crlOf([over])).toBe('collateral_missing')
    expect(await crlOf([over], kdsOf(honest(milan)))).toBe('kds')
    expect(await crlOf([over, milan.crl()])).toBe('evidence')
  })

  it('in the cache is used until its nextUpdate, and never after', async () => {
    const cache = memoryCache()
    await complete(milan, held([]), { ...kdsOf(honest(milan)), cache })
    expect(await crlOf([], { cache, now: NOW + DAY_MS - 1 })).toBe('cache')
    expect(await crlOf([], { cache, now: NOW + DAY_MS })).toBe('collateral_missing')
    const next = milan.crl({ thisUpdateMs: NOW, nextUpdateMs: NOW + 2 * DAY_MS })
    const later = { cache, now: NOW + DAY_MS }
    expect(await crlOf([], { ...kdsOf({ '/vcek/v1/Milan/crl': next }), ...later })).toBe('kds')
    expect(await crlOf([], later)).toBe('cache')
  })

  it.each<[string, () => Uint8Array]>([
    ['past its nextUpdate', () => milan.crl({ nextUpdateMs: NOW })],
    ['of a later time', () => milan.crl({ thisUpdateMs: NOW + 1000 })],
    ['of another root', () => turin.crl()],
    ['that is no CRL', () => milan.leaf],
    [
      'with a flipped byte',
      () => milan.crl().map((byte, at, all) => (at === all.length - 1 ? byte ^ 1 : byte)),
    ],
  ])('from KDS %s is refused', async (_, crl) => {
    expect(await crlOf([], kdsOf({ '/vcek/v1/Milan/crl': crl() }))).toBe('collateral_unexpected')
  })

  it('that revokes the intermediate is handed on: whoever judges has to see it', async () => {
    const revoking = milan.crl({ revoked: [{ serial: Uint8Array.of(1, 0, 1), revokedAtMs: NOW - DAY_MS }] })
    const { crl, complete: all } = await complete(milan, held([revoking]))
    expect([crl, all]).toEqual([revoking, true])
  })
})

describe('a report that names no product line', () => {
  it('is of that which its certificates name, or the caller', async () => {
    const held = evidenceOf(old, { certificates: [old.leaf] })
    expect((await complete(old, held, kdsOf(honest(old)))).complete).toBe(true)
    const given = { product: 'Milan' as const, ...kdsOf(honest(old)) }
    expect((await complete(old, evidenceOf(old), given)).complete).toBe(true)
  })

  it('is refused where neither does', async () => {
    expect(await codeOf(() => complete(old, evidenceOf(old)))).toBe('product_unsupported')
  })

  it('is of no other line than its chip can be', async () => {
    const found = await complete(old, evidenceOf(old), {
      product: 'Turin',
      roots: turin.roots,
      ...kdsOf(honest(turin, 'Turin')),
    })
    expect(sources(found)[1]).toBe('chip_id_mismatch')
  })
})

describe('evidence that can not be read', () => {
  it.each<[string, Partial<IncompleteEvidence>, string]>([
    ['a short report', { report: new Uint8Array(1183) }, 'report_malformed'],
    ['a broken certificate', { certificates: [Uint8Array.of(0x30)] }, 'certificate_malformed'],
  ])('is refused for %s', async (_, changes, code) => {
    expect(await codeOf(() => complete(milan, evidenceOf(milan, changes)))).toBe(code)
  })

  it('is refused where no key signed it', async () => {
    const report = milan.processor.attest({ signerInfo: 7 << 2 })
    expect(await codeOf(() => complete(milan, { ...evidenceOf(milan), report }))).toBe(
      'signing_key_unsupported',
    )
  })
})
