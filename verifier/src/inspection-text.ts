import type { Inspection } from './inspect-evidence.js'
import { printable } from './printable.js'

const SHOWN = ['measurement', 'report_data', 'host_data', 'chip_id'] as const

/**
 * An inspection for a reader: one line that decides, one a check, and the fields that people look for.
 * @param simulated the chain ended in an extra root
 */
export const inspectionText = (
  { genuine, code, report, checks, ...found }: Inspection,
  simulated = false,
): string => {
  const result = genuine ? 'GENUINE' : `NOT GENUINE: ${code ?? 'nothing to judge'}`
  const decision = simulated ? `${result} SIMULATED` : result
  const version = found.report_version === null ? [] : [`report version ${found.report_version}`]
  const signer =
    found.signed_by === null ? [] : [`${genuine ? 'signed' : 'said to be signed'} by a ${found.signed_by}`]
  return [
    [decision, ...(found.product === null ? [] : [found.product]), ...version, ...signer].join(', '),
    ...checks.map(
      (check) => `  ${check.result.padEnd(8)} ${check.name}${check.code === null ? '' : ` (${check.code})`}`,
    ),
    ...(report === null ? [] : SHOWN.map((field) => `  ${field}: ${report[field]}`)),
    ...(report === null
      ? []
      : [`  vmpl: ${report.vmpl}`, `  debug: ${report.policy.debug ? 'ALLOWED' : 'forbidden'}`]),
  ]
    .map((line) => `${printable(line)}\n`)
    .join('')
}
