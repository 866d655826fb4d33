import { crypto } from '#crypto'
import type { Certificate } from './parse-certificate.js'

/** What an authority signs: a certificate, or a list of revoked ones. */
type Signed = { readonly tbs: Uint8Array; readonly signature: Uint8Array }

/** Whether an authority's key, RSA-4096, signed something. */
export const isSignedBy = async (
  { publicKey }: Certificate,
  { tbs, signature }: Signed,
): Promise<boolean> => {
  const verify = await crypto.rsaPssVerifier(publicKey.bytes)
  return verify !== null && (await verify(tbs, signature))
}
