import { type AdmittedContract, narrowOutput } from '@parley/guardian'
import { type Bundle, hash, type Receipt } from '@parley/protocol'
import { type Finding, same, stated, type Statement } from '../finding.js'

type OpenedOutput = NonNullable<Bundle['openings']['output']>

/**
 * That the policy's narrowing was carried out as far as it can be seen: each participant that the policy narrows has a
 * commitment of its own and no other has, and a part that is open holds nothing that the policy omits.
 */
export const checkNarrowing = (
  { role: shown, output, findings }: OpenedOutput,
  { participants }: Receipt,
  { policy }: AdmittedContract,
): Finding => {
  const roles = participants.map(({ role }) => role)
  const narrowed = narrowOutput(policy, output, roles)
  const part = narrowed.find(({ role }) => role === shown)
  return stated('output_allowed', [
    ...participants.map(
      ({ role, narrowed_commitment }): Statement => ({
        holds: narrowed.some((row) => row.role === role) === (narrowed_commitment !== null),
        code: 'narrowing_mismatch',
        what: `narrowed_commitment of the ${role}`,
      }),
    ),
    ...(shown === null
      ? []
      : [
          same(part === undefined ? null : hash(part.output), hash(output), 'narrowing_mismatch', 'output'),
          same(findings.length, 0, 'findings_mismatch', 'findings'),
        ]),
  ])
}
