import { parseCrl, type RevocationList } from '../crl/parse-crl.js'
import { verifyCrlOrigin } from '../crl/verify-crl.js'
import { AttestationError } from '../errors.js'
import type { Authorities } from './accept-chain.js'

/**
 * A CRL that counts now: the root's, and not past its nextUpdate. Whether it revokes something is not asked here: the
 * list that does has to reach whoever judges.
 */
export const acceptCrl = async (
  bytes: Uint8Array,
  { anchor }: Authorities,
  nowMs: number,
): Promise<RevocationList | null> => {
  try {
    const crl = parseCrl(bytes)
    if (nowMs >= crl.nextUpdateMs) return null
    await verifyCrlOrigin(crl, anchor.certificate, nowMs)
    return crl
  } catch (error) {
    if (error instanceof AttestationError) return null
    throw error
  }
}
