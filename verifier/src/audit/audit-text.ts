import { printable } from '../printable.js'
import type { AuditReport } from './verify-audit.js'

/** A report for people, in printable ASCII. */
export const auditText = ({ holds, size, root, checks, forks }: AuditReport): string =>
  [
    holds ? 'holds: one log that only grew' : 'DOES NOT HOLD',
    ...(size === null ? [] : [`log     ${size} entries, root ${String(root)}`]),
    ...checks.map(({ of, check, code, detail }) =>
      code === null
        ? `pass    ${check.padEnd(11)} ${printable(of)}`
        : `FAIL    ${check.padEnd(11)} ${printable(of)}: ${code}${detail === null ? '' : ` (${printable(detail)})`}`,
    ),
    ...forks.flatMap(({ one, other, why }) => [
      `FORK: ${why}. Both are signed by the key of the log:`,
      ...[one, other].flatMap(({ name, checkpoint }) => [
        `  ${printable(name)}`,
        ...checkpoint
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => `    ${printable(line)}`),
      ]),
    ]),
    '',
  ].join('\n')
