import { hkdfSync } from 'node:crypto'
import { AttestationError, type DerivedKeyField, type DerivedKeyRequest } from '@parley/attestation'
import type { ReportFields } from './encode-report.js'

const KEY_BYTES = 32
const TCB_BYTES = 8

/** What the firmware mixes into a key for each field that is selected. */
const mixed = (
  { policy, imageId, familyId, measurement }: ReportFields,
  { guestSvn, tcbVersion }: DerivedKeyRequest,
): Readonly<Record<DerivedKeyField, Uint8Array | string>> => ({
  guest_policy: policy.toString(16),
  image_id: imageId,
  family_id: familyId,
  measurement,
  guest_svn: String(guestSvn),
  tcb_version: tcbVersion,
})

const refused = (what: string): AttestationError =>
  new AttestationError('firmware_refused', `MSG_KEY_RSP has status 0x16: ${what}`)

/** Each component by itself: the order of a TCB is not that of a number. */
const isAtMost = (asked: Uint8Array, most: Uint8Array): boolean =>
  asked.every((component, at) => component <= (most[at] ?? 0))

/**
 * Derives keys as a chip does (AMD 56860, MSG_KEY_REQ): from a secret that never leaves it, which changes with the
 * platform's TCB, and from whatever fields the guest selects; refused above the guest's SVN, the committed TCB, or for a
 * more privileged level.
 * @param chipSecret 32 bytes
 */
export const simulatedDeriveKey =
  (chipSecret: Uint8Array, guest: ReportFields) =>
  async (request: DerivedKeyRequest): Promise<Uint8Array> => {
    const { root, fields, vmpl, guestSvn, tcbVersion } = request
    if (tcbVersion.length !== TCB_BYTES) throw new AttestationError('argument_invalid', 'an 8-byte TCB')
    if (vmpl < guest.vmpl) throw refused('VMPL')
    if (guestSvn > guest.guestSvn) throw refused('GUEST_SVN')
    if (!isAtMost(tcbVersion, guest.committedTcb)) throw refused('TCB_VERSION')
    const values = mixed(guest, request)
    const info = [
      `${root} vmpl ${vmpl}`,
      // The chip's endorsement key is itself of the TCB that it reports.
      root === 'vcek' ? hexOf(guest.reportedTcb) : '',
      ...[...new Set(fields)].sort().map((field) => `${field} ${hexOf(values[field])}`),
    ].join('\n')
    return Promise.resolve(new Uint8Array(hkdfSync('sha256', chipSecret, new Uint8Array(), info, KEY_BYTES)))
  }

const hexOf = (value: Uint8Array | string): string =>
  typeof value === 'string' ? value : Buffer.from(value).toString('hex')
