import {
  fromBase64url,
  keysetLeaf,
  parseEvidence,
  sha256,
  toBase64url,
  toHex,
  verifyBinding,
} from '@parley/protocol'
import { expect, test } from 'vitest'
import { openEvidenceDesk } from '../../src/evidence/evidence-desk.js'
import { RelayError } from '../../src/relay-error.js'
import { createReporter } from '../../src/evidence/reporter.js'
import { fresh, testKeys } from '../boot.js'
import { testChip } from '../chip.js'
import { fakeClock } from '../fake-clock.js'

async function desk(lane: 'confidential' | 'software') {
  const keys = testKeys(lane)
  const collector = lane === 'confidential' ? (await testChip()).collector : null
  const reporter = createReporter(
    { lane, ...keys, collector, random: fresh },
    0,
    fakeClock(),
    () => undefined,
  )
  return { keys, desk: await openEvidenceDesk(keys, reporter) }
}

test.each(['confidential', 'software'] as const)(
  'the %s boot document is well formed, binds the keyset, and has no nonce',
  async (lane) => {
    const { keys, desk: opened } = await desk(lane)
    const { bootEvidence } = opened
    expect(parseEvidence(bootEvidence)).toEqual(bootEvidence)
    expect(bootEvidence.nonce).toBeNull()
    const expected = { keysetDigest: keys.keysetDigest, receiptKey: keys.receiptKey.publicKey }
    verifyBinding(lane, bootEvidence.binding, keysetLeaf(keys.keyset, null), expected)
  },
)

test('the attestation hash is that of the report made at boot, and null in the software lane', async () => {
  const { desk: opened } = await desk('confidential')
  const report = fromBase64url(opened.bootEvidence.binding.hardware?.report ?? '')
  expect(opened.attestationHash).toBe(toHex(sha256(report)))
  expect((await desk('software')).desk.attestationHash).toBeNull()
})

test('a document for a nonce binds that nonce and no other', async () => {
  const { keys, desk: opened } = await desk('software')
  const nonce = toBase64url(fresh(32))
  const evidence = await opened.evidenceFor(nonce)
  const expected = { keysetDigest: keys.keysetDigest, receiptKey: keys.receiptKey.publicKey }
  expect(parseEvidence(evidence).nonce).toBe(nonce)
  verifyBinding('software', evidence.binding, keysetLeaf(keys.keyset, nonce), expected)
  for (const other of [null, toBase64url(fresh(32))])
    expect(() =>
      verifyBinding('software', evidence.binding, keysetLeaf(keys.keyset, other), expected),
    ).toThrow(expect.objectContaining({ code: 'signature_invalid' }))
})

test('there is no desk without a first report', async () => {
  const bind = () => Promise.reject(new RelayError('report_failed', 'none'))
  await expect(openEvidenceDesk(testKeys('confidential'), { bind })).rejects.toMatchObject({
    code: 'report_failed',
  })
})
