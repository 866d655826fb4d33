import type { ProfileName } from '@parley/protocol'

const HOSTED: readonly ProfileName[] = ['confidential', 'software']
const EVERY: readonly ProfileName[] = [...HOSTED, 'embedded']
const CONFIDENTIAL: readonly ProfileName[] = ['confidential']

/** Every enforcement surface of this build, and the profiles that have it. What is not here is not there. */
export const SURFACES: Readonly<Record<string, readonly ProfileName[]>> = {
  'ohttp-ingress': HOSTED,
  'replay-guard': HOSTED,
  'ticked-answers': HOSTED,
  'participant-signature': EVERY,
  'signed-consent': EVERY,
  'exact-capacity': EVERY,
  'guardian-policy': EVERY,
  'budget-ledger': EVERY,
  'cel-evaluator': EVERY,
  'fixed-slot-release': EVERY,
  'audit-log': EVERY,
  'signed-refusal': EVERY,
  'hardware-evidence': CONFIDENTIAL,
  'sealed-store': CONFIDENTIAL,
  'clean-environment': CONFIDENTIAL,
}
