import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { canonicalBytes, type JsonValue, signAgentVaultReceiptV2, toHex } from '@parley/protocol'
import { afterAll, describe, expect, it } from 'vitest'
import { HELD, KEYS, SECOND } from '../../../scripts/src/agentvault-vectors/session.js'
import { examplePolicy } from '../../../scripts/src/example-policy.js'
import { run } from '../../src/node/index.js'
import { mintBundle } from '../minted-bundle.js'

const folder = mkdtempSync(join(tmpdir(), 'parley-receipt-'))
afterAll(() => {
  rmSync(folder, { recursive: true })
})
const file = (name: string, content: Uint8Array | string): string => {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}
const json = (name: string, value: JsonValue): string => file(name, JSON.stringify(value))

const cli = async (...argv: readonly string[]) => {
  const printed = { out: '', err: '' }
  const io = {
    out: (text: string) => void (printed.out += text),
    err: (text: string) => void (printed.err += text),
    now: Date.parse('2026-06-01T00:00:00Z'),
  }
  const code = await run(['receipt', ...argv], io)
  return { code, ...printed }
}

const receipt = json('receipt.json', signAgentVaultReceiptV2(SECOND, KEYS.relay))
const key = file('key.hex', `${toHex(KEYS.relay.publicKey)}\n`)
const held = Object.entries(HELD).flatMap(([name, value]) => [`--${name}`, json(`${name}.json`, value)])

describe('parley-verify receipt with a receipt of AgentVault', () => {
  it('exits 0 under the pinned key, and says what was not checked', async () => {
    const { code, out } = await cli(receipt, '--key', key)
    expect(code).toBe(0)
    expect(out).toMatch(/^TRUSTED, SELF_ASSERTED, COMPLETED\n/)
    expect(out).toMatch(/not_run +agentvault_contract .*\(artefact_not_given\)/)
  })

  it('compares every artefact that it is given', async () => {
    const { code, out } = await cli(receipt, '--key', key, ...held, '--json')
    expect(code).toBe(0)
    const { checks } = JSON.parse(out) as { readonly checks: readonly { name: string; result: string }[] }
    const passed = checks.filter(({ result }) => result === 'passed').map(({ name }) => name)
    for (const name of Object.keys(HELD)) expect(passed).toContain(`agentvault_${name}`)
  })

  it.each(Object.keys(HELD))('exits 4 where --%s is another one', async (name) => {
    expect((await cli(receipt, '--key', key, `--${name}`, json('other.json', { other: 1 }))).code).toBe(4)
  })

  it('exits 2 where a report is expected and none is there', async () => {
    const { code, out } = await cli(
      receipt,
      '--key',
      key,
      '--hardware',
      json('hardware.json', examplePolicy()),
    )
    expect(code).toBe(2)
    expect(out).toContain('hardware_genuine failed: collateral_missing')
  })

  it.each<[string, () => readonly string[], RegExp]>([
    ['an artefact that is not there', () => ['--contract', join(folder, 'none')], /ENOENT/],
    ['an artefact that is no JSON', () => ['--contract', key], /argument_invalid/],
    ['an artefact that is no object', () => ['--schema', json('list.json', [])], /not a JSON object/],
    [
      'an artefact with an integer that is not exact',
      () => ['--output', file('n.json', '9007199254740993')],
      /2\^53/,
    ],
    ['a time without a report to judge', () => ['--now', '2026-01-01'], /need --hardware/],
    [
      'a hardware policy that is none',
      () => ['--hardware', json('empty.json', {})],
      /reference_value_missing/,
    ],
  ])('exits 1 on %s', async (_, argv, message) => {
    const { code, out, err } = await cli(receipt, '--key', key, ...argv())
    expect([code, out]).toEqual([1, ''])
    expect(err).toMatch(message)
  })
})

describe('parley-verify receipt with a receipt of ours', () => {
  it('refuses an expectation that would have no effect', async () => {
    const ours = file('ours.json', canonicalBytes((await mintBundle('software', null)).receipt))
    const { code, err } = await cli(ours, '--key', key, '--contract', json('contract.json', HELD.contract))
    expect(code).toBe(1)
    expect(err).toMatch(/--contract is for receipts of AgentVault/)
  })
})
