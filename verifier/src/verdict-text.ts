import type { Check as HardwareCheck, Reasoned } from '@parley/attestation'
import { checkRow, type Trusted } from './check-table.js'
import { hardwareRow } from './hardware-check-table.js'
import { printable } from './printable.js'
import type { Check, Verdict } from './verdict.js'

const TRUSTEES: Readonly<Record<Trusted, string>> = {
  nobody: 'nobody',
  amd: 'AMD',
  google: 'Google',
  'simulated root': 'SIMULATED root',
  relay: 'the relay',
  participants: 'the participants',
  policy: 'your policy',
}

/** A party in words. */
export const trusteeName = (trusted: Trusted): string => TRUSTEES[trusted]

/**
 * A verdict for a reader: one line that decides, then one a check: its result, what was checked, against what, and who
 * is still trusted for it; then what hardware vouches for, what the policy left open and what it waived. ASCII only.
 */
export const verdictText = (verdict: Verdict): string =>
  [
    headline(verdict),
    ...verdict.checks.map(checkLine),
    ...verdict.hardware.map(hardwareLine),
    ...claimLines(verdict),
    ...bootLines(verdict),
    ...verdict.anys.map((any) => reasonLine('any', any)),
    ...verdict.waivers.map((waiver) => reasonLine('waived', waiver)),
    ...outputLine(verdict),
  ]
    .map(printable)
    .join('\n') + '\n'

const headline = ({
  trusted,
  simulated,
  assurance_level,
  lane,
  outcome,
  exit_code,
  checks,
}: Verdict): string => {
  const decision = trusted ? 'TRUSTED' : `NOT TRUSTED (exit ${exit_code})`
  const failure = checks.find(({ result }) => result === 'failed')
  return [
    simulated ? `${decision} SIMULATED` : decision,
    ...(failure === undefined ? [] : [`${failure.name} failed: ${failure.code ?? ''}`]),
    assurance_level ?? 'nothing holds',
    ...(lane === null ? [] : [`${lane} lane`]),
    ...(outcome === null ? [] : [outcome.abort_class ?? outcome.status]),
  ].join(', ')
}

const checkLine = ({ name, result, code, detail, trusted_for }: Check): string => {
  const why = [code, detail].filter((part) => part !== undefined).join(': ')
  return line('  ', { name, result, ...checkRow(name), why, trusted_for })
}

const hardwareLine = ({ name, result, code, trusted_for }: HardwareCheck): string =>
  line('    ', { name, result, ...hardwareRow(name), why: code ?? '', trusted_for })

type Line = {
  readonly name: string
  readonly result: string
  readonly says: string
  readonly against: string
  readonly why: string
  readonly trusted_for: Trusted
}

// Against what, and whose word a check rests on, matters where it was run.
const line = (indent: string, { name, result, says, against, why, trusted_for }: Line): string => {
  const ran = result !== 'not_run'
  return [
    `${indent}${result.padEnd(8)} ${name.padEnd(26 - indent.length)} ${says}${ran ? `; against ${against}` : ''}`,
    ...(why === '' ? [] : [`(${why})`]),
    ...(ran ? [`[trusted: ${TRUSTEES[trusted_for]}]`] : []),
  ].join(' ')
}

const claimLines = ({ claims }: Verdict): readonly string[] =>
  Object.entries(claims).map(
    ([name, { status, root }]) => `  claim ${name}: ${status}, root: ${TRUSTEES[root]}`,
  )

// What a reader of three claims might take for one.
const bootLines = ({ hardware, claims: { boot, app } }: Verdict): readonly string[] => {
  const root = hardware.find(({ name }) => name === 'boot_root')
  if (root === undefined) return []
  const whose = TRUSTEES[boot.root]
  if (app.root !== boot.root || boot.root === 'nobody')
    return root.code === 'root_missing'
      ? ['  boot: no root of TPMs was given, so whose TPM attests the boot is unknown: --google-root']
      : []
  return [
    '  launch: the measurement that the secure processor signed covers the firmware only',
    `  boot, app: what that firmware started, a TPM outside that measurement says, under ${whose}; whoever runs it could forge both`,
  ]
}

const reasonLine = (kind: string, { check, reason }: Reasoned): string => `  ${kind} ${check}: ${reason}`

const outputLine = ({ trusted, output }: Verdict): readonly string[] =>
  trusted && output !== null ? [`  output: ${JSON.stringify(output)}`] : []
