import { parseReport } from '@parley/attestation'
import { fromBase64url, keysetLeaf, reportDataOf, toBase64url, verifyBinding } from '@parley/protocol'
import { expect, test } from 'vitest'
import { bindLeaves } from '../../src/evidence/bind-leaves.js'
import { fresh, testKeys } from '../boot.js'
import { countingCollector, testChip } from '../chip.js'

const keys = testKeys()
const software = { lane: 'software' as const, ...keys, collector: null, random: fresh }
const expected = { keysetDigest: keys.keysetDigest, receiptKey: keys.receiptKey.publicKey }

test.each([
  [1, 2],
  [2, 2],
  [3, 4],
  [5, 8],
  [100, 128],
])('%i leaves hang on a tree of %i, each on a path of its own', async (count, size) => {
  const leaves = Array.from({ length: count }, () => fresh(32))
  const bindings = await bindLeaves(software, leaves)
  const heads = bindings.map((binding, index) =>
    verifyBinding('software', binding, leaves[index] ?? fresh(32), expected),
  )
  expect(bindings.map(({ leaf_index }) => leaf_index)).toEqual(leaves.map((_, index) => index))
  expect(new Set(heads.map(({ root }) => root)).size).toBe(1)
  expect(heads[0]?.tree_size).toBe(size)
})

test('the leaves that fill a tree are never the same', async () => {
  const leaf = fresh(32)
  const [[one], [two]] = [await bindLeaves(software, [leaf]), await bindLeaves(software, [leaf])]
  expect(one?.path).not.toEqual(two?.path)
})

test.each([
  ['another leaf', fresh(32), {}, {}, 'signature_invalid'],
  ['another keyset', null, { keysetDigest: '00'.repeat(32) }, {}, 'signature_invalid'],
  ['another receipt key', null, { receiptKey: testKeys().receiptKey.publicKey }, {}, 'signature_invalid'],
  ['a longer path', null, {}, { tree_size: 4 }, 'tree_malformed'],
])('a binding does not verify for %s', async (_, other, keyChange, change, code) => {
  const leaf = fresh(32)
  const [binding] = await bindLeaves(software, [leaf])
  expect(
    () =>
      binding &&
      verifyBinding('software', { ...binding, ...change }, other ?? leaf, { ...expected, ...keyChange }),
  ).toThrow(expect.objectContaining({ code }))
})

test('a confidential report carries REPORT_DATA over exactly this tree', async () => {
  const chip = await testChip()
  const confidential = testKeys('confidential')
  const collector = countingCollector((data) => chip.collector.collect(data))
  const { keyset, keysetDigest, receiptKey } = confidential
  const leaf = keysetLeaf(keyset, toBase64url(fresh(32)))
  const [binding] = await bindLeaves(
    { lane: 'confidential', keysetDigest, receiptKey, collector, random: fresh },
    [leaf],
  )
  if (!binding?.hardware) throw new Error('no hardware')
  const head = verifyBinding('confidential', binding, leaf, {
    keysetDigest,
    receiptKey: receiptKey.publicKey,
  })
  expect(parseReport(fromBase64url(binding.hardware.report)).report_data).toEqual(
    reportDataOf('confidential', head),
  )
  expect(collector.asked).toEqual([reportDataOf('confidential', head)])
})
