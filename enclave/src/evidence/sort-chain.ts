import { type Certificate, readCertificates, type SigningKey } from '@parley/attestation'
import { equalBytes } from '@parley/protocol'
import { RelayError } from '../relay-error.js'

/** A chain in the order in which a verifier climbs it; DER. */
export type Chain = {
  readonly leaf: Uint8Array
  readonly intermediate: Uint8Array
  readonly root: Uint8Array
}

/**
 * Finds leaf, intermediate and root among certificates by their names. Nothing is verified here: the relay does not
 * judge its own evidence, it only refuses to serve what nobody could verify.
 * @param certificates DER or PEM, in any order
 * @param kind the key that the report says it is signed with
 * @throws RelayError `collateral_missing`
 * @throws AttestationError `certificate_malformed`
 */
export function sortChain(certificates: readonly Uint8Array[], kind: SigningKey | null): Chain {
  const parsed = readCertificates(certificates)
  const leaf = demand(parsed.find((each) => each.leaf !== null && each.leaf.kind === kind))
  const intermediate = demand(parsed.find((each) => issued(each, leaf) && !issued(each, each)))
  const root = demand(parsed.find((each) => issued(each, intermediate) && issued(each, each)))
  return { leaf: leaf.der, intermediate: intermediate.der, root: root.der }
}

function demand(found: Certificate | undefined): Certificate {
  if (found === undefined)
    throw new RelayError('collateral_missing', 'the certificates are no chain from leaf to root')
  return found
}

const issued = (issuer: Certificate, subject: Certificate): boolean =>
  equalBytes(issuer.subject.der, subject.issuer.der)
