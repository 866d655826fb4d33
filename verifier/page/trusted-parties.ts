import type { Trusted } from '../src/check-table.js'
import type { Verdict } from '../src/verdict.js'
import { trusteeName } from '../src/verdict-text.js'

/** Somebody whose word still counts, and the checks that rest on it. */
export type Party = { readonly name: string; readonly checks: readonly string[] }

const ORDER: readonly Trusted[] = ['amd', 'google', 'simulated root', 'relay', 'participants', 'policy']

type Checked = { readonly name: string; readonly result: string; readonly trusted_for: Trusted }

/** Who is still trusted where the checks that ran have passed. What rests on nobody is left out. */
export const trustedParties = ({
  checks,
  hardware,
}: Pick<Verdict, 'checks' | 'hardware'>): readonly Party[] => {
  const passed: readonly Checked[] = [...checks, ...hardware].filter(({ result }) => result === 'passed')
  return ORDER.map((party) => ({
    name: trusteeName(party),
    checks: [...new Set(passed.filter(({ trusted_for }) => trusted_for === party).map(({ name }) => name))],
  })).filter(({ checks: own }) => own.length > 0)
}
