import type { AuditEntry } from '@parley/protocol'

/** How much an operator should care, the least first. */
export const SEVERITIES = ['info', 'warning'] as const

/** One of {@link SEVERITIES}. */
export type Severity = (typeof SEVERITIES)[number]

const WARNINGS = /\.(?:.*_rejected|subagents_force_restricted|denied|failed|refused|blocked|expired)$/

/** The severity of an event: `warning` where something was refused, withheld or went wrong. */
export const severityOf = (event: AuditEntry['event']): Severity =>
  WARNINGS.test(event) ? 'warning' : 'info'
