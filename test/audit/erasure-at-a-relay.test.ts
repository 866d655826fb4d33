import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { askErasure, type Clock, createIdentity, run, systemClock } from '@parley/agent'
import { type Clock as RelayClock, systemClock as relayClock } from '@parley/enclave'
import { canonicalize } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { freshFolder } from '../harness/cleanup.js'
import { confer } from '../harness/confer.js'
import { LANES } from '../harness/relay.js'
import { newParty, openStage } from '../harness/stage.js'
import { policyFor } from '../harness/trust.js'

const WEEK_SECONDS = 604_800

/** A week later, for whoever asks and for whoever answers. */
const laterClock: Clock = { ...systemClock, nowMs: () => systemClock.nowMs() + WEEK_SECONDS * 1000 }
const laterRelayClock = (): RelayClock => {
  const clock = relayClock()
  return { ...clock, nowSeconds: () => clock.nowSeconds() + WEEK_SECONDS }
}

const command = async (argv: readonly string[]) => {
  const said = { out: '', err: '' }
  const code = await run(argv, {
    out: (text) => void (said.out += text),
    err: (text) => void (said.err += text),
    env: {},
    confirm: null,
    clock: systemClock,
  })
  return { code, ...said }
}

describe.each(LANES)('a %s relay, asked by a participant to forget it', (lane) => {
  it('keeps what another may still fetch, and holds nothing of a stranger', async () => {
    const stage = await openStage(lane)
    await confer(stage)
    const ask = async (identity: typeof stage.buyer.identity) =>
      askErasure({ identity, relay: await stage.attest(stage.buyer), clock: systemClock })
    expect(await ask(stage.buyer.identity)).toEqual({ sessions: 0, records: 0, open: 1 })
    expect(await ask(newParty().identity)).toEqual({ sessions: 0, records: 0, open: 0 })
  })
})

describe('a software relay a week later, over the same store', () => {
  it('erases what the participant asks for, and no more than that', async () => {
    const store = freshFolder()
    const before = await openStage('software', { store })
    await confer(before)
    await before.relay.close()
    const { identity } = before.buyer
    const after = await openStage('software', { store, clock: laterRelayClock() }, newParty(laterClock))
    const ask = async () =>
      askErasure({ identity, relay: await after.attest(after.buyer), clock: laterClock })
    expect(await ask()).toMatchObject({ sessions: 1, open: 0 })
    expect(await ask()).toEqual({ sessions: 0, records: 0, open: 0 })
  })

  it('erases what its operator says in its configuration, and logs how much', async () => {
    const store = freshFolder()
    const before = await openStage('software', { store })
    await confer(before)
    await before.relay.close()
    const erase = [before.seller.identity.did]
    const after = await openStage('software', { store, clock: laterRelayClock(), erase })
    const told = after.relay.lines.map((line) => JSON.parse(line) as { event: string })
    expect(told.find(({ event }) => event === 'subject_erased')).toMatchObject({ sessions: 1, open: 0 })
  })
})

describe('parley erasure --relay', () => {
  it('asks for the own key, and for no other', async () => {
    const { host, relay } = await openStage('software')
    const home = freshFolder()
    const { did } = await createIdentity(join(home, 'identity.json'))
    const policy = join(home, 'policy.json')
    writeFileSync(policy, canonicalize(policyFor(relay.keyset)))
    const at = ['--relay', host.url, '--home', home]
    expect(await command(['erasure', did, ...at, '--policy', policy])).toMatchObject({
      code: 0,
      out: 'SKIPPED\n',
    })
    const { identity } = newParty()
    expect((await command(['erasure', identity.did, ...at, '--policy', policy])).code).toBe(1)
    expect((await command(['erasure', did, ...at])).code).toBe(1)
  })
})
