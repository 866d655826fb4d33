import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { SESSION_ID } from '../double/session.js'
import { BUYER, SELLER } from '../double/terms.js'
import { play, setUp } from './terminal.js'

const seated = async () => {
  const stage = await setUp()
  const { relay, at, policy, contractFile, homes, dids } = stage
  const invitation = at('invitation.json')
  const created = await play([
    ...['session', 'new', '--relay', relay.url, '--policy', policy, '--contract', contractFile],
    ...[
      '--invite',
      dids.seller,
      '--tag',
      'price',
      '--limit',
      '20',
      '--out',
      invitation,
      '--home',
      homes.buyer,
    ],
  ])
  expect(created).toMatchObject({ code: 0, out: '', err: `session ${SESSION_ID}\n` })
  const joined = await play(['session', 'join', invitation, '--policy', policy, '--home', homes.seller])
  expect(joined).toMatchObject({ code: 0, out: `${SESSION_ID}\n` })
  return stage
}

describe('two parties at two terminals', () => {
  test('confer from init to verify', async () => {
    const { at, file, policy, homes } = await seated()
    const [buyer, seller] = [await file('buyer.json', BUYER), await file('seller.json', SELLER)]
    const submit = (home: string, input: string) => [
      ...['session', 'submit', SESSION_ID, '--input', input],
      '--home',
      home,
    ]
    const result = (home: string, out: string) => [
      ...['session', 'result', SESSION_ID, '--out', at(out)],
      '--home',
      home,
    ]
    // The seller consents, and cannot submit before the buyer has.
    const alone = await play([...submit(homes.seller, seller), '--yes', '--wait', '3'])
    expect(alone).toMatchObject({ code: 7, out: '' })
    expect(alone.err.match(/waiting for the others/g)).toHaveLength(1)
    expect(alone.err).toMatch(/\nparley: consent_timeout: not all have consented yet/)
    const bought = await play(submit(homes.buyer, buyer), { answer: true })
    expect(bought).toMatchObject({ code: 0, out: 'submitted\n' })
    expect(bought.asked).toHaveLength(1)
    expect(bought.err).toMatch(/purpose {3}NEGOTIATION/)
    expect(bought.err).not.toContain('waiting')
    expect(bought.err).toMatch(/title {5}Negotiation band\nsummary {3}Does the most/)
    expect(bought.err).toMatch(/program {3}65f28e47[0-9a-f]{56}, \d+ bytes\n/)
    expect(bought.err).toMatch(
      /tells {5}one of 39 outcomes \(35 outputs and 4 ways to end without one\), at most 6 bits/,
    )
    expect(bought.err).toMatch(/\n {2}output {2}band: "UNDISCLOSED" .*\n {2}output {2}overlap: "CURRENCY_/)
    expect(bought.err).toMatch(/charge {4}5\.286 bits of "price": 0\.000 bits spent, limit 20\.000 bits/)
    expect(bought.err).toMatch(/SELF_ASSERTED, software lane/)
    expect(await play(result(homes.buyer, 'early.parley.json'))).toMatchObject({ code: 7 })
    expect(await play([...submit(homes.seller, seller), '--yes'])).toMatchObject({ code: 0 })
    const shown = await play([...result(homes.buyer, 'buyer.parley.json'), '--open-input', '--wait'])
    expect(shown).toMatchObject({ code: 0 })
    expect(shown.out).toMatch(
      /outcome {3}COMPLETED\noutput {4}\{"band":"TENS_OF_THOUSANDS","overlap":"MODERATE"\}/,
    )
    expect(shown.out).toMatch(/verdict {3}TRUSTED/)
    const asJson = await play([...result(homes.seller, 'seller.parley.json'), '--json'])
    expect(JSON.parse(asJson.out)).toMatchObject({
      session_id: SESSION_ID,
      outcome: { status: 'COMPLETED' },
      bundle_file: at('seller.parley.json'),
      verdict: { trusted: true },
    })
    for (const bundle of ['buyer.parley.json', 'seller.parley.json'])
      expect((await play(['verify', at(bundle), '--policy', policy])).out).toMatch(/^TRUSTED/)
  })

  test('at whom nobody asks nothing is consented without --yes', async () => {
    const { relay, file, homes } = await seated()
    const input = await file('buyer.json', BUYER)
    const submit = ['session', 'submit', SESSION_ID, '--input', input, '--home', homes.buyer]
    expect(await play(submit)).toMatchObject({ code: 1 })
    expect(await play(submit, { answer: false })).toMatchObject({
      code: 1,
      asked: [expect.stringContaining('[y/N]')],
    })
    expect(relay.inner.map(({ path }) => path)).not.toContain(`/v1/sessions/${SESSION_ID}/consent`)
  })

  test('an input that the contract does not admit is refused before anybody consents', async () => {
    const { relay, file, homes } = await seated()
    const input = await file('buyer.json', { ...BUYER, currency: 'CANARY' })
    const submit = ['session', 'submit', SESSION_ID, '--input', input, '--home', homes.buyer]
    const played = await play(submit, { answer: true })
    expect(played).toMatchObject({ code: 1, asked: [] })
    expect(played.err).toMatch(/^parley: input_refused: .*value_not_listed.*\/currency/)
    expect(played.err).not.toContain('CANARY')
    expect(relay.inner.map(({ path }) => path)).not.toContain(`/v1/sessions/${SESSION_ID}/consent`)
  })

  test('where the offer is not as agreed, nobody is asked', async () => {
    const { relay, file, homes } = await seated()
    relay.tampering.offer = () => ({ egress_channel: 'unbounded' })
    const input = await file('buyer.json', BUYER)
    const submit = ['session', 'submit', SESSION_ID, '--input', input, '--home', homes.buyer]
    expect(await play(submit, { answer: true })).toMatchObject({ code: 4, asked: [] })
  })

  test('may call it off', async () => {
    const { homes } = await seated()
    expect(await play(['session', 'cancel', SESSION_ID, '--home', homes.buyer])).toMatchObject({
      code: 0,
      out: 'cancelled\n',
    })
  })
})

describe('session new', () => {
  test('prints the invitation alone, and says aloud in it that nobody is named', async () => {
    const { relay, policy, contractFile, homes, dids } = await setUp()
    const argv = [
      'session',
      'new',
      '--relay',
      relay.url,
      '--policy',
      policy,
      '--contract',
      contractFile,
      '--open',
    ]
    const { out, code } = await play(argv, { env: { PARLEY_HOME: homes.buyer } })
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({
      version: 'parley-invitation-v1',
      session_id: SESSION_ID,
      seats: [dids.buyer, null],
    })
    expect(relay.inner[0]?.body).toMatchObject({
      invited: [null],
      ledger: { tag: 'default', limit_millibits: 64_000 },
    })
  })

  test.each<[string, (dids: { seller: string }) => string[], number]>([
    ['a seat that nobody was invited to', () => [], 1],
    ['an invitation too many', ({ seller }) => ['--invite', seller, '--open'], 1],
    ['no DID', () => ['--invite', 'somebody'], 5],
    ['a tag with a space', () => ['--open', '--tag', 'my secret'], 1],
    ['a limit that is no number', () => ['--open', '--limit', 'many'], 1],
    ['a limit too fine', () => ['--open', '--limit', '1.0001'], 1],
    ['an unknown option', () => ['--open', '--force'], 1],
  ])('with %s sends nothing', async (_, options, code) => {
    const { relay, policy, contractFile, homes, dids } = await setUp()
    const argv = [
      'session',
      'new',
      '--relay',
      relay.url,
      '--policy',
      policy,
      '--contract',
      contractFile,
      '--home',
      homes.buyer,
    ]
    expect(await play([...argv, ...options(dids)])).toMatchObject({ code })
    expect(relay.outer).toHaveLength(0)
  })

  test('at a relay that is not trusted creates nothing', async () => {
    const { relay, policy, contractFile, homes } = await setUp({ evidence: () => ({}) })
    const argv = [
      'session',
      'new',
      '--relay',
      relay.url,
      '--policy',
      policy,
      '--contract',
      contractFile,
      '--open',
    ]
    const { code, err } = await play([...argv, '--home', homes.buyer])
    expect(code).toBe(3)
    expect(err).toMatch(/^parley: relay_not_trusted/)
    expect(relay.inner).toHaveLength(0)
  })
})

describe('a file that the user named', () => {
  test('for an invitation or a policy is never written over', async () => {
    const { relay, policy, contractFile, homes, file } = await setUp()
    const there = await file('there.json', 'mine')
    const argv = ['session', 'new', '--relay', relay.url, '--policy', policy, '--contract', contractFile]
    for (const command of [
      [...argv, '--open', '--home', homes.buyer, '--out', there],
      ['relay', 'pin', relay.url, '--out', there],
    ])
      expect(await play(command)).toMatchObject({
        code: 1,
        err: `parley: state_exists: ${there} exists already\n`,
      })
    expect(await readFile(there, 'utf8')).toBe('mine')
    expect(relay.inner).toHaveLength(0)
  })

  test('that cannot be written is an error with its path, before a session is made', async () => {
    const { relay, policy, contractFile, homes, at } = await setUp()
    const nowhere = at('nowhere/x.json')
    const argv = ['session', 'new', '--relay', relay.url, '--policy', policy, '--contract', contractFile]
    for (const command of [
      [...argv, '--open', '--home', homes.buyer, '--out', nowhere],
      ['relay', 'pin', relay.url, '--out', nowhere],
    ])
      expect(await play(command)).toMatchObject({
        code: 1,
        err: `parley: file_unusable: ${nowhere} can't be used: ENOENT\n`,
      })
    expect(relay.inner).toHaveLength(0)
    expect((await play(['init', '--home', '/dev/null/x'])).err).toMatch(
      /^parley: file_unusable: \/dev\/null\/x/,
    )
  })
})

describe('relay check', () => {
  test('shows the verdict and exits by it', async () => {
    const { relay, policy, file } = await setUp()
    const good = await play(['relay', 'check', relay.url, '--policy', policy])
    expect(good.code).toBe(0)
    expect(good.out).toMatch(/^TRUSTED, SELF_ASSERTED, software lane/)
    const json = await play(['relay', 'check', relay.url, '--policy', policy, '--json'])
    expect(JSON.parse(json.out)).toMatchObject({ procedure: 'evidence', trusted: true })
    const other = JSON.parse(await readFile(policy, 'utf8')) as { relay: object }
    other.relay = { ...other.relay, version: { equals: '9.9.9' } }
    const bad = await play(['relay', 'check', relay.url, '--policy', await file('other.json', other)])
    expect(bad.code).toBe(3)
    expect(bad.out).toMatch(/^NOT TRUSTED/)
    expect(relay.outer).toEqual(['/evidence', '/evidence', '/evidence'])
  })

  test.each<[string, string[], number, RegExp]>([
    ['an address of another kind', ['file:///etc/passwd'], 1, /url_malformed/],
    ['nobody there', ['http://127.0.0.1:1'], 7, /relay_unreachable/],
  ])('with %s fails', async (_, url, code, message) => {
    const { policy } = await setUp()
    const played = await play(['relay', 'check', ...url, '--policy', policy])
    expect(played.code).toBe(code)
    expect(played.err).toMatch(message)
  })

  test('without a policy, or with one that lacks an expectation, is usage', async () => {
    const { relay, policy, file } = await setUp()
    expect(await play(['relay', 'check', relay.url])).toMatchObject({ code: 1 })
    const { waive: _, ...lacking } = JSON.parse(await readFile(policy, 'utf8')) as { waive: unknown }
    const played = await play(['relay', 'check', relay.url, '--policy', await file('lacking.json', lacking)])
    expect(played).toMatchObject({ code: 1, err: expect.stringMatching(/reference_value_missing/) as string })
    expect(relay.outer).toHaveLength(0)
  })
})

describe('the command line', () => {
  test('explains itself, and each command', async () => {
    const help = await play(['--help'])
    expect(help.code).toBe(0)
    for (const command of ['init', 'relay', 'session', 'verify', 'Exit codes'])
      expect(help.out).toContain(command)
    const submit = (await play(['session', 'submit', '--help'])).out
    expect(submit).toMatch(/--input <file>/)
    expect(submit.replace(/\s+/g, ' ')).toContain('wait for the others (default: 300)')
  })

  test.each<[string, string[]]>([
    ['nothing', []],
    ['an unknown command', ['confer']],
    ['half a command', ['session']],
    ['a missing argument', ['session', 'join', '--policy', 'x']],
    ['too many arguments', ['init', 'more']],
    ['a submit without input', ['session', 'submit', SESSION_ID]],
    ['a wait that is no number', ['session', 'result', SESSION_ID, '--wait', 'long']],
    ['a verify without a policy', ['verify', 'file']],
  ])('with %s is usage', async (_, argv) => {
    expect(await play(argv)).toMatchObject({ code: 1, out: '' })
  })

  test('needs an identity before anything is asked of a relay', async () => {
    const { relay, policy, contractFile, at } = await setUp()
    const argv = [
      'session',
      'new',
      '--relay',
      relay.url,
      '--policy',
      policy,
      '--contract',
      contractFile,
      '--open',
    ]
    const played = await play([...argv, '--home', at('nobody')])
    expect(played).toMatchObject({ code: 1, err: expect.stringMatching(/^parley: state_missing/) as string })
    expect(relay.outer).toHaveLength(0)
  })

  test('makes an identity once', async () => {
    const { homes } = await setUp()
    const played = await play(['init', '--home', homes.buyer])
    expect(played).toMatchObject({ code: 1, err: expect.stringMatching(/^parley: state_exists/) as string })
  })

  test('does not repeat what is in a file that it can’t use', async () => {
    const { file, policy, homes } = await setUp()
    const broken = await file('broken.json', '{"ceiling": CANARY}')
    for (const argv of [
      ['session', 'submit', SESSION_ID, '--input', broken, '--home', homes.buyer],
      ['session', 'join', broken, '--policy', policy, '--home', homes.buyer],
      ['relay', 'check', 'http://127.0.0.1:1', '--policy', broken],
    ]) {
      const { code, err } = await play(argv)
      expect(code).toBe(1)
      expect(err).not.toContain('CANARY')
    }
  })

  test('verifies as parley-verify does: a bundle that is none is malformed', async () => {
    const { file, policy, at } = await setUp()
    const none = await file('none.parley.json', '{}')
    expect(await play(['verify', none, '--policy', policy])).toMatchObject({ code: 5 })
    expect(await play(['verify', at('gone'), '--policy', policy])).toMatchObject({ code: 1 })
  })
})
