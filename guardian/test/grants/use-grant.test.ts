import { hash } from '@parley/protocol'
import { expect, test } from 'vitest'
import { GrantBook, type GrantPorts, issueRevocation, useAnyGrant, useGrant } from '../../src/index.js'
import {
  act,
  actQuestion,
  consent,
  consentQuestion,
  helper,
  holder,
  NOW,
  stranger,
  subject,
} from './people.js'

const stage = (now = NOW) => {
  const book = new GrantBook()
  const clock = { now }
  const ports: GrantPorts = {
    nowSeconds: () => clock.now,
    take: (uses) => Promise.resolve(book.take(uses, clock.now)),
  }
  return { book, clock, ports }
}
const codeOf = (use: Awaited<ReturnType<typeof useGrant>>) => (use.ok ? 'ok' : use.code)

test('A2A-24: a consent is used as often as it says, judged anew each time', async () => {
  const { ports, clock } = stage()
  const use = async () => codeOf(await useGrant(ports, [consent({ max_uses: 3 })], consentQuestion()))
  expect([await use(), await use()]).toEqual(['ok', 'ok'])
  clock.now = NOW + 3600
  expect(await use()).toBe('expired')
  clock.now = NOW
  expect([await use(), await use()]).toEqual(['ok', 'used_up'])
})

test('A2A-24: a consent that is revoked between two uses permits no second', async () => {
  const { ports, book } = stage()
  const grant = consent()
  expect(codeOf(await useGrant(ports, [grant], consentQuestion()))).toBe('ok')
  book.revoke(issueRevocation(grant, NOW, subject.key))
  expect(codeOf(await useGrant(ports, [grant], consentQuestion()))).toBe('revoked')
})

test('what is refused costs no use', async () => {
  const { ports, book } = stage()
  await useGrant(ports, [consent()], consentQuestion({ holder: stranger.did }))
  await useGrant(ports, [consent()], consentQuestion({ purpose: 'ads' }))
  expect(book.find(consent())).toBeUndefined()
})

test('A2A-24: a store that fails permits nothing', async () => {
  const ports: GrantPorts = { nowSeconds: () => NOW, take: () => Promise.reject(new Error('disk')) }
  expect(codeOf(await useGrant(ports, [consent()], consentQuestion()))).toBe('store_failed')
})

test('UAR-27: handing a token on multiplies none of its uses', async () => {
  const { ports } = stage()
  const root = act({ constraints: { max_depth: 1, max_uses: 2 } })
  const part = (jti: string) =>
    act({ jti, scope: ['relay:session:join'], constraints: { max_uses: 2 }, prf: hash(root) }, holder, helper)
  const use = async (jti: string) =>
    codeOf(await useGrant(ports, [root, part(jti)], actQuestion({ holder: helper.did })))
  expect([await use('x'), await use('y'), await use('z')]).toEqual(['ok', 'ok', 'used_up'])
})

test('UAR-27: with a token everything that was made of it is revoked', async () => {
  const { ports, book } = stage()
  const root = act()
  const part = act(
    { jti: 'part', scope: ['relay:session:join'], constraints: undefined, prf: hash(root) },
    holder,
    helper,
  )
  const use = async () => codeOf(await useGrant(ports, [root, part], actQuestion({ holder: helper.did })))
  expect(await use()).toBe('ok')
  book.revoke(issueRevocation(root, NOW, subject.key))
  expect(await use()).toBe('revoked')
})

test('A2A-24: without a grant nothing is permitted', async () => {
  const { ports } = stage()
  expect(codeOf(await useAnyGrant(ports, [], consentQuestion()))).toBe('no_grant')
  expect(codeOf(await useGrant(ports, [], consentQuestion()))).toBe('no_grant')
})

test('of several grants the first that permits it is used, and a refusal is that of the one that came furthest', async () => {
  const { ports, book } = stage()
  const [one, two] = [consent({ max_uses: 1, jti: 'one' }), consent({ max_uses: 1, jti: 'two' })]
  const other = consent({ purpose: 'ads', jti: 'other' })
  const use = async () => codeOf(await useAnyGrant(ports, [[other], [one], [two]], consentQuestion()))
  expect([await use(), await use(), await use()]).toEqual(['ok', 'ok', 'used_up'])
  expect(book.find(other)).toBeUndefined()
  const never = await useAnyGrant(ports, [[other], [consent({}, stranger)], ['x']], consentQuestion())
  expect(codeOf(never)).toBe('wrong_purpose')
})
