import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { generateSigningKey, type LedgerEntry, signLedgerEntry } from '@parley/protocol'
import { expect, test } from 'vitest'
import { generateIdentity, LedgerWallet } from '../src/index.js'
import { freshFolder } from './double/stage.js'

const relayKey = generateSigningKey()
const owner = generateIdentity().did

const entry = (seq: number, change: Partial<LedgerEntry> = {}, key = relayKey): LedgerEntry =>
  signLedgerEntry(
    {
      version: 'parley-ledger-v1',
      lane: 'software',
      keyset_digest: '11'.repeat(32),
      owner,
      tag: 'price',
      seq,
      previous: seq === 0 ? null : '22'.repeat(32),
      kind: 'debit',
      session_id: '33'.repeat(32),
      before_millibits: 10 * seq,
      charge_millibits: 10,
      after_millibits: 10 * seq + 10,
      limit_millibits: 1000,
      at: 1_800_000_000,
      salt: 'A'.repeat(43),
      ...change,
    },
    key,
  )

test('the last entry of a tag is held, over a restart', async () => {
  const folder = await freshFolder()
  const [one, two] = [entry(0), entry(1)]
  await new LedgerWallet(folder).keep(one, relayKey.publicKey)
  await new LedgerWallet(folder).keep(two, relayKey.publicKey)
  expect(await new LedgerWallet(folder).held('software', 'price')).toEqual(two)
})

test.each([0, 1])('an entry of number %i does not take the place of a later or equal one', async (seq) => {
  const wallet = new LedgerWallet(await freshFolder())
  const last = entry(1)
  await wallet.keep(last, relayKey.publicKey)
  await wallet.keep(entry(seq, { charge_millibits: 0, after_millibits: 10 * seq }), relayKey.publicKey)
  expect(await wallet.held('software', 'price')).toEqual(last)
})

test('tags and lanes have heads of their own, whatever a tag is called', async () => {
  const folder = await freshFolder()
  const wallet = new LedgerWallet(join(folder, 'ledger'))
  const all = ['price', '../price', '..', '/etc/x', 'price.json'].map((tag) => entry(0, { tag }))
  const lane = entry(0, { lane: 'confidential' })
  for (const each of [...all, lane]) await wallet.keep(each, relayKey.publicKey)
  for (const each of [...all, lane]) expect(await wallet.held(each.lane, each.tag)).toEqual(each)
  expect(await readdir(folder)).toEqual(['ledger'])
})

test('an entry that the relay did not sign is not kept', async () => {
  const wallet = new LedgerWallet(await freshFolder())
  const forged = entry(0, {}, generateSigningKey())
  await expect(wallet.keep(forged, relayKey.publicKey)).rejects.toMatchObject({ code: 'signature_invalid' })
  expect(await wallet.held('software', 'price')).toBeNull()
})

test.each<[string, (text: string) => string]>([
  ['cut off', (text) => text.slice(0, 100)],
  ['empty', () => ''],
  ['with another figure', (text) => text.replace('"after_millibits":10', '"after_millibits":11')],
  ['with an unknown member', (text) => text.replace('{', '{"extra":1,')],
])('a wallet file that is %s is state_malformed, never an empty wallet', async (_, change) => {
  const folder = await freshFolder()
  const wallet = new LedgerWallet(folder)
  await wallet.keep(entry(0), relayKey.publicKey)
  const [name = ''] = await readdir(folder)
  await writeFile(join(folder, name), change(await readFile(join(folder, name), 'utf8')))
  await expect(wallet.held('software', 'price')).rejects.toMatchObject({ code: 'state_malformed' })
  await expect(wallet.keep(entry(1), relayKey.publicKey)).rejects.toMatchObject({ code: 'state_malformed' })
})

test('of two entries kept at once the later one is held, whoever writes last', async () => {
  for (let round = 0; round < 10; round++) {
    const folder = await freshFolder()
    const [one, other] = [new LedgerWallet(folder), new LedgerWallet(folder)]
    await one.keep(entry(4), relayKey.publicKey)
    await Promise.all([other.keep(entry(6), relayKey.publicKey), one.keep(entry(5), relayKey.publicKey)])
    expect((await one.held('software', 'price'))?.seq).toBe(6)
    expect(await readdir(folder)).toHaveLength(1)
  }
})
