import { crypto } from '#crypto'
import { type Certificate, parseCertificate } from '../certificate/parse-certificate.js'
import type { VerifySignature } from '../crypto-port.js'
import { RecentMap } from './recent-map.js'

/** Checks signatures and gives the verifier under the last key, or null where one does not hold. */
export type Prove = () => Promise<VerifySignature | null>

/** Certificates from one that was proved up to its root. */
export type Path = readonly [proved: Certificate, ...above: Certificate[]]

type Proof = { readonly path: Path; readonly verify: VerifySignature }

// Where a certificate is looked for: the end of its signature. All of its bytes decide whether it is there.
const placeOf = (der: Uint8Array): number => {
  let place = 0
  for (let at = Math.max(0, der.length - 4); at < der.length; at++) place = (place << 8) | (der[at] ?? 0)
  return place
}

const isSame = (left: Path, right: Path): boolean =>
  left.length === right.length && left.every((certificate, at) => certificate === right[at])

/**
 * Remembers certificates that were read and paths of them that verified, so that the next report under the same leaf
 * costs one signature, and a new leaf under the same authorities two. Nothing is remembered but parsed bytes, found
 * again by every byte of them, and good signatures, found again by the very certificates that were read from those
 * bytes: pins, names, dates, TCB, CRL and policy are checked anew each time.
 */
export class ChainMemo {
  readonly #certificates: RecentMap<number, Certificate>
  // By the first of each path, and apart: leaves come and go, authorities stay.
  readonly #authorities: RecentMap<Certificate, Proof>
  readonly #leaves: RecentMap<Certificate, Proof>

  /**
   * @param capacity how many are kept of each: certificates, intermediates, leaves; what is used again stays longest
   */
  constructor(capacity = 64) {
    this.#certificates = new RecentMap(capacity)
    this.#authorities = new RecentMap(capacity)
    this.#leaves = new RecentMap(capacity)
  }

  /**
   * The certificate that these bytes are.
   * @throws AttestationError certificate_malformed; what can't be read is not remembered
   */
  certificate(der: Uint8Array, parse: (der: Uint8Array) => Certificate = parseCertificate): Certificate {
    const place = placeOf(der)
    const known = this.#certificates.get(place)
    if (known !== undefined && crypto.sameBytes(known.der, der)) return known
    return this.#certificates.set(place, parse(der))
  }

  /** The verifier under the first certificate of a path. What does not verify is not remembered. */
  async proved(path: Path, prove: Prove): Promise<VerifySignature | null> {
    const proofs = path[0].leaf === null ? this.#authorities : this.#leaves
    const known = proofs.get(path[0])
    if (known !== undefined && isSame(known.path, path)) return known.verify
    const verify = await prove()
    if (verify !== null) proofs.set(path[0], { path, verify })
    return verify
  }
}
