import { AttestationError, type Collector, parseReport } from '@parley/attestation'
import { type Evidence, fromBase64url } from '@parley/protocol'
import { RelayError } from '../relay-error.js'

/**
 * The key of a store that outlives the process: derived by the chip for every guest with this guest's measurement,
 * policy and TCB, and for no other. The TCB is the committed one: a platform that is rolled back below it does not have
 * the key, nor does one that commits to a later.
 * @param bootEvidence with the report that says what this guest is
 * @returns 32 octets
 * @throws RelayError `sealing_key_unavailable`; there is nothing to fall back to
 * @see AMD 56860, MSG_KEY_REQ
 */
export async function deriveSealingKey(
  collector: Collector | null,
  { binding }: Pick<Evidence, 'binding'>,
): Promise<Uint8Array> {
  if (collector?.deriveKey === undefined || binding.hardware === null)
    throw unavailable('this interface of the kernel derives no keys')
  const { vmpl, committed_tcb } = parseReport(fromBase64url(binding.hardware.report))
  try {
    return await collector.deriveKey({
      root: 'vcek',
      fields: ['measurement', 'guest_policy', 'tcb_version'],
      vmpl,
      guestSvn: 0,
      tcbVersion: committed_tcb,
    })
  } catch (error) {
    if (error instanceof AttestationError) throw unavailable(error.code)
    throw error
  }
}

const unavailable = (why: string): RelayError =>
  new RelayError('sealing_key_unavailable', `no sealing key can be derived: ${why}`)
