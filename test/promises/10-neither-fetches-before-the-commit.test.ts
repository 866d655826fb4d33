import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { join } from 'node:path'
import type { Role } from '@parley/protocol'
import { beforeAll, describe, expect, it } from 'vitest'
import { askResult } from '../harness/ask-result.js'
import { freshFolder } from '../harness/cleanup.js'
import { agreed, collectBoth, type Seated, submitBoth } from '../harness/confer.js'
import { CEILING, FLOOR } from '../harness/contracts.js'
import { codeOf } from '../harness/failure.js'
import { judge } from '../harness/judge.js'
import { LANES } from '../harness/relay.js'
import { prepareRelay, startRelayProcess } from '../harness/relay-process.js'
import { filesIn } from '../harness/search.js'
import { CHARGE, spentOf } from '../harness/spent.js'
import { newParty, type OpenStage, openStage, type Stage, stageBefore } from '../harness/stage.js'

type Asked = Awaited<ReturnType<typeof askResult>>

/** Asks as one of the two, with nothing but the session's id. */
const ask = async ({ buyer, seller }: Stage, { bought }: Seated, role: Role): Promise<Asked> => {
  const { identity } = role === 'initiator' ? buyer : seller
  return askResult(bought.relay, identity, role, bought.file.record.session_id)
}

describe.each(LANES)('a result of the %s lane', (lane) => {
  let stage: OpenStage
  beforeAll(async () => {
    stage = await openStage(lane)
  })
  it('is there for both, at once and for good, only after the one commit', async () => {
    const stage = await openStage(lane, { limits: { release_slot_ms: 3000 } })
    const commits = (): number => stage.relay.lines.filter((line) => line.includes('session_ended')).length
    const seated = await agreed(stage)
    const before = commits()
    const seen: { readonly role: Role; readonly released: boolean; readonly committed: boolean }[] = []
    const watch = async (role: Role): Promise<void> => {
      let last = false
      while (!last) {
        const { bundle } = await ask(stage, seated, role)
        last = bundle !== null
        seen.push({ role, released: last, committed: commits() > before })
      }
    }
    await stage.buyer.submit(seated.bought, CEILING, 0)
    expect((await ask(stage, seated, 'initiator')).bundle).toBe(null)
    await stage.seller.submit(seated.sold, FLOOR, 0)
    await Promise.all([watch('initiator'), watch('responder')])
    const released = seen.filter((each) => each.released)
    expect(released.map(({ role }) => role).sort()).toEqual(['initiator', 'responder'])
    expect(released.every(({ committed }) => committed)).toBe(true)
    // The watchers looked often enough to have caught an early release.
    expect(seen.filter(({ committed }) => !committed).length).toBeGreaterThan(4)
    const states = await Promise.all([ask(stage, seated, 'initiator'), ask(stage, seated, 'responder')])
    expect(states.map(({ state }) => state)).toEqual(['COMPLETED', 'COMPLETED'])
    expect(states[0].bundle?.receipt).toEqual(states[1].bundle?.receipt)
  })

  it.each(['initiator', 'responder'] as const)(
    'is fetched by the %s though the other never asks',
    async (role) => {
      const seated = await agreed(stage)
      await submitBoth(stage, seated)
      const wish = { waitMs: 30_000, hardwareWaitMs: 0, openInput: false }
      const alone =
        role === 'initiator'
          ? stage.buyer.result(seated.bought, wish)
          : stage.seller.result(seated.sold, wish)
      const bundle = await alone
      expect((await judge(bundle, stage.trust)).trusted).toBe(true)
    },
  )

  it('is nobody else’s', async () => {
    const seated = await agreed(stage)
    await submitBoth(stage, seated)
    await collectBoth(stage, seated)
    const stranger = { ...stage, buyer: newParty() }
    expect(await codeOf(ask(stranger, seated, 'initiator'))).toBe('session_unknown')
  })
})

describe('a result that one participant has fetched', () => {
  it('is the other’s too, even if the relay is killed at that moment', async () => {
    const folder = freshFolder()
    prepareRelay(folder)
    const relay = await startRelayProcess('software', folder)
    const stage = await stageBefore(relay)
    const seated = await agreed(stage)
    await submitBoth(stage, seated)
    const wish = { waitMs: 30_000, hardwareWaitMs: 0, openInput: false }
    const { receipt } = await stage.buyer.result(seated.bought, wish)
    await relay.kill()
    const successor = await startRelayProcess('software', folder)
    const after = await stageBefore(successor, stage.buyer, stage.seller)
    const attested = await after.attest(stage.seller)
    const { bundle } = await askResult(attested, stage.seller.identity, 'responder', receipt.session_id)
    expect(bundle?.receipt).toEqual(receipt)
    await successor.stop()
  })

  it('is there again after a restart, with the hardware path that it had, and verifies as before', async () => {
    const folder = freshFolder()
    prepareRelay(folder)
    const relay = await startRelayProcess('software', folder)
    const stage = await stageBefore(relay)
    const seated = await agreed(stage)
    await submitBoth(stage, seated)
    const fetched = await collectBoth(stage, seated, { hardware: true })
    expect(fetched.map(({ hardware_path }) => hardware_path.status)).toEqual(['present', 'present'])
    await relay.kill()
    const successor = await startRelayProcess('software', folder)
    const after = await stageBefore(successor, stage.buyer, stage.seller)
    const attested = await after.attest(stage.buyer)
    const id = fetched[0].receipt.session_id
    const again = [
      await askResult(attested, stage.buyer.identity, 'initiator', id),
      await askResult(attested, stage.seller.identity, 'responder', id),
    ]
    expect(again).toEqual(fetched.map((bundle) => ({ state: 'COMPLETED', bundle })))
    // Under the keyset that signed it, which is no longer the relay's.
    expect(successor.keyset.receipt_key).not.toBe(relay.keyset.receipt_key)
    expect((await judge(fetched[0], relay.trust)).trusted).toBe(true)
    await successor.stop()
  })
})

describe.each(LANES)('a relay of the %s lane whose disk takes no more', (lane) => {
  const limitFiles = (pid: number, bytes: number): void => {
    execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:unlimited`])
  }
  const largestFile = (folder: string): number =>
    Math.max(...filesIn(join(folder, 'store')).map((path) => statSync(path).size))

  it('releases nothing and charges nothing: the commit is what both wait for', async () => {
    const folder = freshFolder()
    prepareRelay(folder, { release_slot_ms: 4000 })
    const relay = await startRelayProcess(lane, folder)
    const stage = await stageBefore(relay)
    const before = await spentOf(stage, stage.buyer)
    const seated = await agreed(stage)
    await submitBoth(stage, seated)
    // Between the second input and the commit: the file cannot grow, and a result needs pages of its own.
    limitFiles(relay.pid, largestFile(folder))
    for (const role of ['initiator', 'responder'] as const) {
      const ends: string[] = []
      while (ends.at(-1) !== 'relay_failed' && ends.length < 1000) {
        const asked = await ask(stage, seated, role).catch((error: unknown) => error as { code: string })
        ends.push('code' in asked ? asked.code : asked.bundle === null ? 'nothing' : 'released')
      }
      expect(ends.slice(0, -1).filter((end) => end !== 'nothing')).toEqual([])
      expect(ends.at(-1)).toBe('relay_failed')
    }
    // Nor at the next attempt, a slot later.
    await sleep(4500)
    expect(await codeOf(ask(stage, seated, 'responder'))).toBe('relay_failed')
    await relay.kill()
    if (lane === 'confidential') return
    const successor = await startRelayProcess(lane, folder)
    const after = await stageBefore(successor, stage.buyer, stage.seller)
    expect(await spentOf(after, stage.buyer)).toBe(before)
    const attested = await after.attest(stage.buyer)
    const id = seated.bought.file.record.session_id
    expect(await codeOf(askResult(attested, stage.buyer.identity, 'initiator', id))).toBe('session_unknown')
    // On a disk that takes what it is given, the next session is as good as ever.
    const again = await agreed(after)
    await submitBoth(after, again)
    await collectBoth(after, again)
    expect(await spentOf(after, stage.buyer)).toBe(before + CHARGE)
    await successor.stop()
  })
})
