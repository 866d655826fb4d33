import {
  type Ed25519PublicKey,
  parseCanonicalJson,
  parseReceipt,
  type Receipt,
  toBase64url,
  verifyReceipt,
} from '@parley/protocol'
import { isForeign } from './agentvault/foreign-receipt.js'
import { verifyForeignAlone } from './agentvault/verify-agentvault-receipt.js'
import { attempted, derived, type Finding, notRun, passed, same, stated } from './finding.js'
import { drawVerdict, NOTHING, type Verdict } from './verdict.js'

/** A receipt file and the key that its reader trusts for it. */
export type ReceiptFile = { readonly bytes: Uint8Array; readonly key: Ed25519PublicKey }

/**
 * Verifies a receipt alone, under a key that the caller pinned. It shows what the holder of that key signed, and
 * nothing of hardware: the level is SELF_ASSERTED at the most. A receipt of AgentVault is verified as that, without
 * artefacts; other systems and later versions are refused as malformed. Never throws on a bad receipt.
 * @param file `bytes` exact JCS of one receipt, or the JSON of one of AgentVault
 * @returns exit code 0, 4 where the signature does not hold, 5 where it is no receipt
 * @see protocol SPEC §14 and §20
 */
export const verifyReceiptFile = ({ bytes, key }: ReceiptFile): Verdict => {
  if (isForeign(bytes)) return verifyForeignAlone(bytes, key)
  const receipt = derived('receipt_form', () => parseReceipt(parseCanonicalJson(bytes)))
  return 'result' in receipt
    ? drawVerdict({ ...NOTHING, procedure: 'receipt', findings: [receipt] })
    : judge(receipt, key)
}

const judge = (receipt: Receipt, key: Ed25519PublicKey): Verdict => {
  const signature = attempted('receipt_signature', () => {
    verifyReceipt(receipt, key)
  })
  const holds = signature.result === 'passed'
  return drawVerdict({
    ...NOTHING,
    procedure: 'receipt',
    findings: [passed('receipt_form'), signature, checkTee(receipt, key)],
    lane: receipt.lane,
    assurance_level: holds ? 'SELF_ASSERTED' : null,
    session_id: holds ? receipt.session_id : null,
    outcome: holds ? receipt.outcome : null,
  })
}

const checkTee = ({ tee }: Receipt, key: Ed25519PublicKey): Finding =>
  tee === null
    ? notRun('receipt_tee', 'software_lane')
    : stated('receipt_tee', [same(tee.receipt_key, toBase64url(key), 'tee_mismatch', 'tee.receipt_key')])
