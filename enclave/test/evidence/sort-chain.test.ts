import { expect, test } from 'vitest'
import { sortChain } from '../../src/evidence/sort-chain.js'
import { testChip } from '../chip.js'

const missing = expect.objectContaining({ code: 'collateral_missing' }) as Error

test('a chain is found in any order', async () => {
  const { certificates } = await testChip()
  const [leaf, intermediate, root] = certificates
  for (const order of [certificates, [...certificates].reverse()])
    expect(sortChain(order, 'vcek')).toEqual({ leaf, intermediate, root })
})

test.each([0, 1, 2])('a chain without its certificate number %i is collateral_missing', async (left) => {
  const { certificates } = await testChip()
  expect(() => sortChain(certificates.toSpliced(left, 1), 'vcek')).toThrow(missing)
})

test('no certificates are collateral_missing', () => {
  expect(() => sortChain([], 'vcek')).toThrow(missing)
})

test.each(['vlek', null] as const)('a VCEK does not serve a report signed by %s', async (kind) => {
  const { certificates } = await testChip()
  expect(() => sortChain(certificates, kind)).toThrow(missing)
})

test('an intermediate of another kind of leaf does not serve', async () => {
  const { certificates, vendor } = await testChip()
  const [leaf = new Uint8Array(0), , root = new Uint8Array(0)] = certificates
  expect(() => sortChain([leaf, vendor.intermediates.vlek, root], 'vcek')).toThrow(missing)
})
