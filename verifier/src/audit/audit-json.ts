import { toHex } from '@parley/protocol'
import type { Fork, Signed } from './find-forks.js'
import type { AuditReport } from './verify-audit.js'

/** A report as JSON; roots are hex. */
export const auditJson = (report: AuditReport): object => ({ ...report, forks: report.forks.map(forkJson) })

const forkJson = ({ one, other, why }: Fork): object => ({
  why,
  one: signedJson(one),
  other: signedJson(other),
})

const signedJson = ({ name, checkpoint, head, leaf }: Signed): object => ({
  name,
  checkpoint,
  size: head.size,
  root: toHex(head.root),
  leaf,
})
