import { chmod, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ledgerHead, parseBundle, parseJson, signLedgerEntry } from '@parley/protocol'
import { describe, expect, test } from 'vitest'
import { SESSION_ID } from '../double/session.js'
import { BUYER, SELLER } from '../double/terms.js'
import { play, setUp } from './terminal.js'

const CHARGE = 5286

/** Two parties that are seated, both inputs in, both results fetched. */
const conferred = async () => {
  const stage = await setUp()
  const { relay, at, file, policy, contractFile, homes, dids } = stage
  const [buyer, seller] = [await file('buyer.json', BUYER), await file('seller.json', SELLER)]
  const wants = ['--policy', policy, '--tag', 'price', '--limit', '20']
  const create = ['session', 'new', '--relay', relay.url, '--contract', contractFile, '--invite', dids.seller]
  await play([...create, ...wants, '--out', at('invitation.json'), '--home', homes.buyer])
  await play(['session', 'join', at('invitation.json'), ...wants, '--home', homes.seller])
  const submit = (home: string, input: string, wait: string) =>
    play(['session', 'submit', SESSION_ID, '--input', input, '--yes', '--wait', wait, '--home', home])
  await submit(homes.seller, seller, '1')
  await submit(homes.buyer, buyer, '1')
  await submit(homes.seller, seller, '1')
  const bundle = at('buyer.parley.json')
  const result = await play([
    'session',
    'result',
    SESSION_ID,
    '--out',
    bundle,
    '--wait',
    '--home',
    homes.buyer,
  ])
  expect(result).toMatchObject({ code: 0 })
  return { ...stage, bundle }
}

const show = (home: string, ...more: readonly string[]) => play(['ledger', 'show', '--home', home, ...more])
const verify = (home: string, ...more: readonly string[]) =>
  play(['ledger', 'verify', '--home', home, ...more])

describe('parley ledger', () => {
  test('has nothing to show before the first offer', async () => {
    const { homes } = await setUp()
    expect(await show(homes.buyer)).toMatchObject({ code: 0, out: 'no session has had an offer yet\n' })
    expect(await verify(homes.buyer)).toMatchObject({ code: 0, out: 'no entry is held\n' })
  })

  test('needs a home', async () => {
    const { at } = await setUp()
    const { code, err } = await show(at('nobody'))
    expect(code).toBe(1)
    expect(err).toContain('state_missing')
  })

  test('shows what a secret has cost, where and when', async () => {
    const { homes, relay } = await conferred()
    const { code, out } = await show(homes.buyer)
    expect(code).toBe(0)
    expect(out).toMatch(
      /^price {2}software\n {2}spent {4}5\.286 bits of 20\.000 bits\n {2}head {5}[0-9a-f]{64}, entry 2\n/,
    )
    expect(out).toContain(`relay    ${relay.url}\n`)
    expect(out).toContain(`session  ${SESSION_ID.slice(0, 16)}  5.286 bits\n`)
    const [row] = JSON.parse((await show(homes.buyer, '--json')).out) as [object]
    expect(row).toMatchObject({
      lane: 'software',
      tag: 'price',
      relays: [relay.url],
      spent_millibits: CHARGE,
      open_millibits: 0,
      limit_millibits: 20_000,
      entries: 2,
      last_sessions: [{ session_id: SESSION_ID, role: 'initiator', charge_millibits: CHARGE }],
    })
  })

  test('says what is still open where no result was fetched', async () => {
    const { homes } = await conferred()
    const { out } = await show(homes.seller)
    expect(out).toMatch(/spent {4}0\.000 bits of 20\.000 bits\n {2}open {5}up to 5\.286 bits\n/)
  })

  test('verifies what is held, with and without a bundle', async () => {
    const { homes, bundle } = await conferred()
    for (const paths of [[], [bundle]])
      expect((await verify(homes.buyer, ...paths)).out).toMatch(
        /^price {2}software {2}one chain\n {2}entries {2}2 held of 2, under 1 keyset\n {2}spent {4}5\.286 bits of 20\.000 bits\n$/,
      )
    expect(JSON.parse((await verify(homes.buyer, bundle, '--json')).out)).toMatchObject({
      chains: [{ tag: 'price', consistent: true, findings: [], keysets: 1 }],
    })
  })

  test('takes no bundle of others, none that is altered, and nothing that is no bundle', async () => {
    const { homes, dids, bundle, file, policy } = await conferred()
    const stranger = `${homes.buyer}-stranger`
    await play(['init', '--home', stranger])
    expect(await verify(stranger, bundle)).toMatchObject({ code: 4 })
    // The other party's figures are not in it.
    expect((await verify(homes.seller, bundle)).err).toContain('ledger_mismatch')
    expect(await verify(homes.buyer, policy)).toMatchObject({ code: 5 })
    const read = parseBundle(parseJson(await readFile(bundle)))
    const forged = { ...read, receipt: { ...read.receipt, issued_at: read.receipt.issued_at + 1 } }
    expect((await verify(homes.buyer, await file('forged.json', forged))).err).toContain('signature_invalid')
    expect(dids.buyer).not.toBe(dids.seller)
  })

  test('ends with 4 over a fork, and prints the two entries that prove it', async () => {
    const { homes, bundle, relay } = await conferred()
    const { openings } = parseBundle(parseJson(await readFile(bundle)))
    const own = openings.ledger[0]?.after
    if (!own) throw new Error('no entry')
    const { signature: _, ...unsigned } = own
    const other = signLedgerEntry({ ...unsigned, session_id: 'ab'.repeat(32) }, relay.keys.receiptKey)
    const folder = join(homes.buyer, 'ledger')
    const [name = ''] = (await readdir(folder)).filter((each) => each.endsWith('.json'))
    const held = JSON.parse(await readFile(join(folder, name), 'utf8')) as object
    await writeFile(join(folder, name), JSON.stringify({ ...held, entry: other }))
    await chmod(join(folder, name), 0o600)
    const { code, out } = await verify(homes.buyer, bundle)
    expect(code).toBe(4)
    expect(out).toContain('NOT ONE CHAIN')
    expect(out).toContain('fork: two entries in one place of one keyset')
    const { chains } = JSON.parse((await verify(homes.buyer, bundle, '--json')).out) as {
      chains: [{ findings: [{ code: string; entries: (typeof own)[] }] }]
    }
    const [finding] = chains[0].findings
    expect(finding.entries.map(ledgerHead).sort()).toEqual([ledgerHead(own), ledgerHead(other)].sort())
  })
})
