import { AttestationError, type Collector, type DerivedKeyRequest, parseReport } from '@parley/attestation'
import { type Evidence, toBase64url } from '@parley/protocol'
import { expect, test } from 'vitest'
import { deriveSealingKey } from '../../src/keys/derive-sealing-key.js'
import { testChip } from '../chip.js'

const evidenceOf = (report: Uint8Array): Pick<Evidence, 'binding'> => ({
  binding: {
    tree_size: 1,
    leaf_index: 0,
    path: [],
    possession: '',
    hardware: { report: toBase64url(report), leaf_certificate: '', intermediates: [] } as never,
  },
})

test('the key depends on measurement, policy and the committed TCB of the report, at the level of the guest', async () => {
  const { attest, collector } = await testChip()
  const report = attest({ vmpl: 2 })
  const asked: DerivedKeyRequest[] = []
  const recording: Collector = {
    ...collector,
    deriveKey: (request) => {
      asked.push(request)
      return Promise.resolve(new Uint8Array(32).fill(7))
    },
  }
  expect(await deriveSealingKey(recording, evidenceOf(report))).toEqual(new Uint8Array(32).fill(7))
  const { committed_tcb } = parseReport(report)
  const fields = ['measurement', 'guest_policy', 'tcb_version']
  expect(asked).toEqual([{ root: 'vcek', fields, vmpl: 2, guestSvn: 0, tcbVersion: committed_tcb }])
})

test('where no key can be derived there is none: sealing_key_unavailable', async () => {
  const { attest, collector } = await testChip()
  const evidence = evidenceOf(attest({}))
  const { deriveKey: _, ...reportsOnly } = collector
  const failing: Collector = {
    ...collector,
    deriveKey: () => Promise.reject(new AttestationError('firmware_refused', 'no')),
  }
  for (const each of [null, reportsOnly, failing])
    await expect(deriveSealingKey(each, evidence)).rejects.toMatchObject({ code: 'sealing_key_unavailable' })
  const { binding } = evidence
  const bare = { binding: { ...binding, hardware: null } }
  await expect(deriveSealingKey(collector, bare)).rejects.toMatchObject({ code: 'sealing_key_unavailable' })
})
