import type { AuditOpening, Bundle, Receipt, Role, Transcript } from '@parley/protocol'
import { artefactsOf } from '../session/artefacts-of.js'
import { contractOf } from '../session/contract-of.js'
import type { SessionDeps } from '../session/session-deps.js'
import type { SessionRecord } from './session-record.js'
import type { Ending } from './transcript.js'

type Issued = {
  readonly receipt: Receipt
  readonly transcript: Transcript
  readonly audit: AuditOpening
}

/**
 * All that an offline verifier needs of a session, with the whole output and the ledger entries of all
 * owners: not yet for anybody's eyes.
 */
export function assembleBundle(
  deps: SessionDeps,
  ending: Ending,
  { receipt, transcript, audit }: Issued,
): Bundle {
  const { agreement, offered, seats } = ending.session
  const { output, findings, asked } = ending.release
  const contract = contractOf(agreement)
  return {
    version: 'parley-bundle-v1',
    receipt,
    contract,
    artefacts: artefactsOf(contract, agreement.admitted),
    guardian_policy: agreement.admitted.policy,
    offer: offered?.offer ?? null,
    consents: seats.map(({ consent }) => consent),
    transcript,
    openings: {
      output: { role: null, salt: ending.salt, output, findings: [...findings] },
      // Each participant opens its own: the relay no longer has them.
      inputs: [],
      ledger: seats.flatMap(({ role }, index) => {
        const charged = ending.charged[index] ?? null
        return charged === null ? [] : [{ role, ...charged }]
      }),
      audit,
    },
    evidence: deps.bootEvidence,
    provider_evidence: asked.provider_evidence,
    hardware_path: { status: 'pending', binding: null },
  }
}

/**
 * The bundle as one participant may see it: an owner's figures are shown to nobody else, and whoever gets a part of the
 * output gets nothing that opens the whole.
 */
export function bundleFor(
  role: Role,
  { bundle, narrowed }: Pick<SessionRecord, 'bundle' | 'narrowed'>,
): Bundle {
  const ledger = bundle.openings.ledger.filter((row) => row.role === role)
  const part = narrowed.find((row) => row.role === role)
  const output = part === undefined ? bundle.openings.output : { ...part, findings: [] }
  return { ...bundle, openings: { ...bundle.openings, output, ledger } }
}
