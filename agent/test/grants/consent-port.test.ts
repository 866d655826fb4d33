import { join } from 'node:path'
import { issueRevocation } from '@parley/guardian'
import { expect, test } from 'vitest'
import { consentPort } from '../../src/grants/consent-port.js'
import { GrantFolder } from '../../src/grants/grant-folder.js'
import { consent, receiver, sender, stranger, subject } from '../double/consents.js'
import { NOW_SECONDS } from '../double/keys.js'
import { freshFolder, testClock } from '../double/stage.js'

const stage = async () => {
  const clock = testClock()
  const folder = new GrantFolder(join(await freshFolder(), 'grants'), clock)
  const senders: Record<string, string | null> = { shop: sender.did, other: stranger.did, keyless: null }
  const { consume } = consentPort({
    folder,
    clock,
    audience: receiver.did,
    senderOf: (origin_id) => Promise.resolve(senders[origin_id] ?? null),
  })
  const ask = (change: object = {}) =>
    consume({ subject: subject.did, purpose: 'billing', origin_id: 'shop', ...change })
  return { clock, folder, ask }
}

test('A2A-24: a consent is consumed once for each task, and then there is none', async () => {
  const { folder, ask } = await stage()
  expect(await ask()).toBe(false)
  await folder.keep(consent())
  expect([await ask(), await ask(), await ask()]).toEqual([true, true, false])
})

test('A2A-25: one purpose’s consent stands for no other', async () => {
  const { folder, ask } = await stage()
  await folder.keep(consent())
  expect(await ask({ purpose: 'ads' })).toBe(false)
  await folder.keep(consent({ purpose: 'ads', jti: 'consent-2' }))
  expect([await ask({ purpose: 'ads' }), await ask()]).toEqual([true, true])
})

test.each([
  ['of another subject', { subject: stranger.did }],
  ['of a subject that is no identifier', { subject: 'user_4' }],
  ['of an origin with another key', { origin_id: 'other' }],
  ['of an origin without a key', { origin_id: 'keyless' }],
  ['of an origin that is not known', { origin_id: 'nobody' }],
])('A2A-24: a task %s has no consent', async (_, change) => {
  const { folder, ask } = await stage()
  await folder.keep(consent())
  expect(await ask(change)).toBe(false)
})

test.each([
  ['that somebody else signed for the subject', consent({}, stranger)],
  ['that counts elsewhere', consent({ aud: stranger.did })],
  ['for one contract', consent({ contract_hash: 'ab'.repeat(32) })],
])('A2A-24: a consent %s is none', async (_, grant) => {
  const { folder, ask } = await stage()
  await folder.keep(grant)
  expect(await ask()).toBe(false)
})

test('A2A-24: a consent ends with its time, and when it is taken back', async () => {
  const { clock, folder, ask } = await stage()
  await folder.keep(consent({ max_uses: 9 }))
  expect(await ask()).toBe(true)
  clock.ms = (NOW_SECONDS + 3600) * 1000
  expect(await ask()).toBe(false)
  clock.ms = NOW_SECONDS * 1000
  await folder.revoke(issueRevocation(consent(), NOW_SECONDS, subject.key))
  expect(await ask()).toBe(false)
})
