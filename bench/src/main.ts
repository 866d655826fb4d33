import { parseArgs } from 'node:util'
import { benchAttestation, benchPeers } from './attestation/bench-attestation.js'
import { benchAudit } from './audit/bench-audit.js'
import type { Group } from './candidate.js'
import { benchDisclosure } from './disclosure/bench-disclosure.js'
import { benchEvidence } from './evidence/bench-evidence.js'
import { benchForward } from './forward/bench-forward.js'
import { benchGate } from './gate/bench-gate.js'
import { benchIngress } from './ingress/bench-ingress.js'
import { benchOhttp } from './ohttp.js'
import { benchReceipt } from './receipt.js'
import { benchSession } from './session/bench-session.js'
import { settle } from './settle.js'
import { tableText } from './table.js'

// `npm run bench [-- GROUP… --gate]`: all groups by default; with --gate it ends with 1 where a bar is missed.

const GROUPS: ReadonlyMap<string, Group> = new Map<string, Group>([
  ['evidence', benchEvidence],
  ['ohttp', benchOhttp],
  ['receipt', benchReceipt],
  ['forward', benchForward],
  ['session', benchSession],
  ['attestation', benchAttestation],
  ['gate', benchGate],
  ['ingress', benchIngress],
  ['audit', benchAudit],
  ['disclosure', benchDisclosure],
])

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { gate: { type: 'boolean', default: false } },
})
const unknown = positionals.filter((name) => !GROUPS.has(name))
if (unknown.length > 0)
  throw new Error(`no group ${unknown.join(', ')}; there are ${[...GROUPS.keys()].join(', ')}`)

const wanted = positionals.length > 0 ? positionals : [...GROUPS.keys()]
const missed: string[] = []
for (const [name, group] of GROUPS) {
  if (!wanted.includes(name)) continue
  const own = name === 'attestation' && wanted.includes('evidence') ? benchPeers : group
  for await (const contest of own()) {
    const settled = await settle(contest)
    process.stdout.write(`${tableText(contest, settled)}\n`)
    if (settled.rows.some(({ verdict }) => verdict === 'missed')) missed.push(contest.title)
  }
}
process.stdout.write(missed.length === 0 ? 'no bar is missed\n' : `missed:\n  ${missed.join('\n  ')}\n`)
process.exitCode = values.gate && missed.length > 0 ? 1 : 0
