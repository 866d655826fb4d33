import type { AuditOpening, Bundle, Receipt, Role, Transcript } from '@parley/protocol'
import { contractOf } from '../session/contract-of.js'
import type { SessionDeps } from '../session/session-deps.js'
import type { Ending } from './transcript.js'

type Issued = {
  readonly receipt: Receipt
  readonly transcript: Transcript
  readonly audit: AuditOpening
}

/** All that an offline verifier needs of a session, with the ledger entries of both owners: not yet for anybody's eyes. */
export function assembleBundle(
  deps: SessionDeps,
  ending: Ending,
  { receipt, transcript, audit }: Issued,
): Bundle {
  const { agreement, offered, seats } = ending.session
  return {
    version: 'parley-bundle-v1',
    receipt,
    contract: contractOf(agreement),
    guardian_policy: agreement.admitted.policy,
    offer: offered?.offer ?? null,
    consents: [seats[0].consent, seats[1].consent],
    transcript,
    openings: {
      output: { salt: ending.salt, output: ending.release.output },
      // Each participant opens its own: the relay no longer has them.
      inputs: [],
      ledger: seats.flatMap(({ role }, index) => {
        const charged = ending.charged[index] ?? null
        return charged === null ? [] : [{ role, ...charged }]
      }),
      audit,
    },
    evidence: deps.bootEvidence,
    hardware_path: { status: 'pending', binding: null },
  }
}

/** The bundle as one participant may see it: an owner's figures are shown to nobody else. */
export function bundleFor(role: Role, bundle: Bundle): Bundle {
  const ledger = bundle.openings.ledger.filter((row) => row.role === role)
  return { ...bundle, openings: { ...bundle.openings, ledger } }
}
