import type { DerivedKeyField, DerivedKeyRequest } from '../../derived-key.js'
import { isZero } from '../../equal-bytes.js'
import { AttestationError } from '../../errors.js'
import { succeeded } from './exit-info.js'
import { openSevGuest } from './open-sev-guest.js'
import { viewOf } from './request-bytes.js'
import { COMMAND, DERIVED_KEY_REQ, DERIVED_KEY_RESP } from './request-layout.js'
import { type OpenSevGuest, withDevice } from './sev-guest-device.js'

/** What a derived key can depend on (AMD 56860, MSG_KEY_REQ, GUEST_FIELD_SELECT), by bit. */
const FIELD_BITS = {
  guest_policy: 0,
  image_id: 1,
  family_id: 2,
  measurement: 3,
  guest_svn: 4,
  tcb_version: 5,
} as const satisfies Readonly<Record<DerivedKeyField, number>>

const TCB_BYTES = 8
const HIGHEST_VMPL = 3
const U32_END = 0x1_0000_0000

const isWithin = (value: number, end: number): boolean => Number.isInteger(value) && value >= 0 && value < end

const check = ({ vmpl, guestSvn, tcbVersion }: DerivedKeyRequest): void => {
  if (isWithin(vmpl, HIGHEST_VMPL + 1) && isWithin(guestSvn, U32_END) && tcbVersion.length === TCB_BYTES)
    return
  throw new AttestationError(
    'argument_invalid',
    'a key is derived for a VMPL of 0 to 3, a 32-bit SVN, an 8-byte TCB',
  )
}

const encode = ({ root, fields, vmpl, guestSvn, tcbVersion }: DerivedKeyRequest): Uint8Array => {
  const request = new Uint8Array(DERIVED_KEY_REQ.size)
  const view = viewOf(request)
  const select = fields.reduce((bits, field) => bits | (1n << BigInt(FIELD_BITS[field])), 0n)
  view.setUint32(DERIVED_KEY_REQ.root_key_select, root === 'vcek' ? 0 : 1, true)
  view.setBigUint64(DERIVED_KEY_REQ.guest_field_select, select, true)
  view.setUint32(DERIVED_KEY_REQ.vmpl, vmpl, true)
  view.setUint32(DERIVED_KEY_REQ.guest_svn, guestSvn, true)
  request.set(tcbVersion, DERIVED_KEY_REQ.tcb_version)
  return request
}

const readKey = (response: Uint8Array): Uint8Array => {
  const status = viewOf(response).getUint32(DERIVED_KEY_RESP.status, true)
  if (status !== 0) {
    throw new AttestationError('firmware_refused', `MSG_KEY_RSP has status 0x${status.toString(16)}`)
  }
  const key = response.slice(DERIVED_KEY_RESP.key, DERIVED_KEY_RESP.key + DERIVED_KEY_RESP.key_size)
  // A key of zeros would seal to everybody.
  if (isZero(key)) throw new AttestationError('collector_failed', 'the derived key is all zeros')
  return key
}

/**
 * A key of 32 bytes that the secure processor derives for this guest (SNP_GET_DERIVED_KEY). configfs-tsm has no such
 * request, so this one goes to the device alone. It belongs to whatever has the same `fields` on the same chip: where
 * the launch measurement does not cover the program, any program there.
 * @param device path of the device
 * @throws AttestationError argument_invalid; codes of class collection
 * @see AMD 56860, MSG_KEY_REQ
 */
export const deriveKey = async (
  wanted: DerivedKeyRequest,
  device = '/dev/sev-guest',
  open: OpenSevGuest = openSevGuest,
): Promise<Uint8Array> => {
  check(wanted)
  const { response } = await withDevice(open, device, async ({ exchange }) =>
    succeeded(
      await exchange({
        command: COMMAND.SNP_GET_DERIVED_KEY,
        request: encode(wanted),
        responseBytes: DERIVED_KEY_RESP.size,
        certificateBytes: 0,
      }),
    ),
  )
  try {
    return readKey(response)
  } finally {
    response.fill(0)
  }
}
