import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { askErasure, bundleBytes, systemClock } from '@parley/agent'
import { run } from '@parley/verifier/node'
import { expect, it } from 'vitest'
import { exportAudit } from '../../enclave/src/audit/run-export.js'
import { freshFolder } from '../harness/cleanup.js'
import { agreed, collectBoth, submitBoth } from '../harness/confer.js'
import { NEGOTIATION } from '../harness/contracts.js'
import { codeOf } from '../harness/failure.js'
import { judge } from '../harness/judge.js'
import { LANES, POLICY_DIRECTORY } from '../harness/relay.js'
import { newParty, openStage, type Stage, stageBefore } from '../harness/stage.js'
import { virtualClock } from '../harness/virtual-clock.js'

const TTL_SECONDS = 250
const BRIEF = { ...NEGOTIATION, invite_ttl_secs: TTL_SECONDS, session_ttl_secs: TTL_SECONDS }

const conferred = async (stage: Stage) => {
  const seated = await agreed(stage, BRIEF)
  await submitBoth(stage, seated)
  const bundles = await collectBoth(stage, seated)
  return { ...seated, bundles, id: bundles[0].receipt.session_id }
}

/** Exports the log of the relay as whoever owns its disk can. */
const exporting = (lane: (typeof LANES)[number], store: string, epoch: string) => async () => {
  const folder = freshFolder()
  const config = join(folder, 'relay.json')
  const listen = { host: '127.0.0.1', port: 0 }
  const rest = { proxy: null, advertise_url: null, policy_directory: POLICY_DIRECTORY, image_digest: null }
  writeFileSync(config, JSON.stringify({ listen, store_directory: store, ...rest }))
  await exportAudit({ profile: lane, config, out: folder })
  const at = (name: string): string => join(folder, epoch, name)
  return { at, text: readFileSync(at('audit.log'), 'utf8') }
}

const verified = (...argv: readonly string[]): Promise<number> =>
  run(['audit', ...argv], { out: () => undefined, err: () => undefined, now: 0 })

it.each(LANES)(
  'a participant of the %s lane is forgotten when it asks, and log, checkpoints, proofs and bundles still verify',
  async (lane) => {
    const [clock, store] = [virtualClock(), freshFolder()]
    const stage = await openStage(lane, { clock, store, limits: { session_ttl_seconds: TTL_SECONDS } })
    const { buyer, seller, trust, host, relay } = stage
    const others = await stageBefore({ url: relay.url, trust }, newParty(), seller)
    const mine = await conferred(stage)
    const theirs = await conferred(others)
    const exported = exporting(lane, store, relay.keyset.epoch)
    const before = await exported()
    const ask = async () =>
      askErasure({ identity: buyer.identity, relay: await buyer.attest(host.url, trust), clock: systemClock })
    const again = async (who: typeof buyer, id: string): Promise<unknown> =>
      who.result(await who.revisit(id, await stage.attest(who)), {
        waitMs: 60_000,
        hardwareWaitMs: 0,
        openInput: false,
      })

    // The other one may fetch the result for as long as a session may last.
    expect(await ask()).toEqual({ sessions: 0, records: 0, open: 1 })
    await again(seller, mine.id)
    clock.leap(TTL_SECONDS * 1000)
    const done = await ask()
    expect(done).toMatchObject({ sessions: 1, open: 0 })
    expect(done.records).toBeGreaterThan(0)
    expect(await ask()).toEqual({ sessions: 0, records: 0, open: 0 })

    for (const who of [buyer, seller]) expect(await codeOf(again(who, mine.id))).toBe('session_unknown')
    await again(others.buyer, theirs.id)
    const after = await exported()
    if (lane === 'software')
      expect([before, after].map(({ text }) => [text.includes(mine.id), text.includes(theirs.id)])).toEqual([
        [true, true],
        [false, true],
      ])

    const held = [...mine.bundles, ...theirs.bundles].map((bundle, at) => {
      const path = after.at(`bundle-${at}.json`)
      writeFileSync(path, bundleBytes(bundle))
      return path
    })
    const log = ['--log', after.at('audit.log'), '--keyset', after.at('keyset.json')]
    expect(await verified(after.at('checkpoint'), before.at('checkpoint'), ...held, ...log)).toBe(0)
    for (const bundle of mine.bundles) expect((await judge(bundle, trust)).trusted).toBe(true)
    // The control: an entry less is found out.
    const lines = after.text.split('\n').slice(0, -2)
    writeFileSync(after.at('short.log'), lines.map((line) => `${line}\n`).join(''))
    const short = ['--log', after.at('short.log'), '--keyset', after.at('keyset.json')]
    expect(await verified(after.at('checkpoint'), ...short)).not.toBe(0)
  },
)
