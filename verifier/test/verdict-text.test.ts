import { beforeAll, describe, expect, it } from 'vitest'
import { parseVerifierPolicy, type Verdict, verdictText, verifyBundle } from '../src/index.js'
import { judge } from './judge.js'
import { CONTRACT, NOW, policyFor, toBytes } from './minted-bundle.js'
import { simulateRelay } from './simulated-relay.js'

describe('verdictText', () => {
  it('decides in its first line', async () => {
    expect(verdictText(await judge())).toMatch(/^TRUSTED, SELF_ASSERTED, software lane, COMPLETED\n/)
    expect(verdictText(await judge({ output: { overlap: 'NO' } }))).toMatch(
      /^NOT TRUSTED \(exit 4\), reexecution failed: reexecution_mismatch, /,
    )
  })

  it('has one line a check: result, what was checked, and who is trusted for it', async () => {
    const text = verdictText(await judge())
    expect(text).toMatch(/^ {2}passed {3}consents +both participants .* \[trusted: the participants\]$/m)
    expect(text).toMatch(/^ {2}not_run {2}hardware_genuine +.* \(software_lane\)$/m)
  })

  it('lists what was left open and what was waived', async () => {
    const honest = policyFor('software')
    const verdict = await judge(
      {},
      { ...honest, waive: [{ check: 'relay_version', reason: 'a development build' }] },
    )
    expect(verdictText(verdict)).toContain('  waived relay_version: a development build\n')
  })

  it('prints the output of a trusted bundle only', async () => {
    expect(verdictText(await judge())).toContain('output: {"overlap":"YES"}')
    expect(verdictText(await judge({ output: { overlap: 'NO' } }))).not.toContain('output:')
  })

  it('lets no text of a stranger write to the terminal', async () => {
    const escape = '\u001b[2J\u202eTRUSTED'
    const verdict = await judge({
      contract: () => ({
        ...CONTRACT,
        output_schema: {
          ...CONTRACT.output_schema,
          properties: { [escape]: { type: 'string' } },
          required: [],
        },
      }),
    })
    expect(verdictText(verdict)).toMatch(/^[\x20-\x7e\n]*$/)
    expect(verdictText(verdict)).toContain('\\u{1b}[2J\\u{202e}')
  })

  describe('of a bundle on a simulated root', () => {
    let verdict: Verdict
    beforeAll(async () => {
      const relay = await simulateRelay('Turin')
      const bytes = toBytes(await relay.mint())
      verdict = await verifyBundle({
        bytes,
        policy: parseVerifierPolicy(relay.policy),
        roots: relay.roots,
        now: NOW,
      })
    })

    it('says SIMULATED in its first line and wherever the root is named', () => {
      const text = verdictText(verdict)
      expect(text).toMatch(/^TRUSTED SIMULATED, TEE_ATTESTED, confidential lane, COMPLETED\n/)
      expect(text).toMatch(/^ {2}passed {3}hardware_genuine .* \[trusted: SIMULATED root\]$/m)
      expect(text).toMatch(/^ {4}passed {3}report_signature .*\[trusted: SIMULATED root\]$/m)
      expect(text).toContain('claim launch: passed, root: SIMULATED root')
      expect(text).not.toContain('AMD')
    })
  })
})
