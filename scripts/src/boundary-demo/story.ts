import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { objectAt } from '../demo/json-object.js'
import { driveEffects, type EffectEnd, meetForeignEngine } from './effects.js'
import { changeFile, entriesOf, writeFile } from './peer.js'
import { shapeOf } from './rejections.js'
import { openStage, type Stage } from './stage.js'

const LATE_SECONDS = 60

/** What the demonstration ends with. */
export type BoundaryResult = {
  readonly sent: boolean
  readonly rejections: { readonly causes: number; readonly shapes: number; readonly reasons: number }
  readonly replay_refused_after_kill: boolean
  readonly consent: {
    readonly before: boolean
    readonly used: boolean
    readonly again: boolean
    readonly expired: boolean
  }
  readonly eu_preset: string
  readonly effects: readonly EffectEnd[]
  readonly audit_holds: boolean
  readonly erased: boolean
  readonly audit_holds_after_erasure: boolean
}

/** Plays two agents from their pairing to an erasure, everything in processes of its own. */
export async function playBoundary(
  folder: string,
  nowSeconds: () => number,
  say: (line: string) => void,
): Promise<BoundaryResult> {
  const stage = await openStage(folder, nowSeconds)
  const { bob, alice } = stage
  say(`Alice and Bob are paired; Bob's receiver runs tasks as a persona, for two purposes.`)
  const sent = await sendOne(stage)
  say(`A task with purpose, schema and file: ${sent ? 'done, the file came back' : 'NOT done'}.`)
  const rejections = await rejectAll(stage)
  say(
    `${rejections.causes} causes of a rejection, ${rejections.shapes} shape of answer, ${rejections.reasons} reasons in Bob's log.`,
  )
  const replay_refused_after_kill = await replayAfterKill(stage)
  say(
    `Bob's receiver is killed and started: the same task again is ${replay_refused_after_kill ? 'refused' : 'TAKEN'}.`,
  )
  const consent = await askConsent(stage, nowSeconds)
  say(
    `Consent of Alice, whose data it is: before none, then used once, then none${consent.expired ? ', and past its end none' : ''}.`,
  )
  changeFile(stage.originFile, { personal_data: false })
  const effects = await driveEffects(stage)
  for (const { scene, expected, seen } of effects)
    say(`  ${scene}: ${seen}${seen === expected ? '' : `, and NOT ${expected}`}`)
  const eu_preset = await meetForeignEngine(stage)
  say(`EU_PRODUCTION and an engine in the US: ${eu_preset}.`)
  const audit_holds = (await bob.run('audit', 'verify')).code === 0
  const erased = (await bob.must('erasure', alice.did)).startsWith('APPLIED')
  const audit_holds_after_erasure = (await bob.run('audit', 'verify')).code === 0
  say(
    `Bob's logs ${audit_holds ? 'hold' : 'DO NOT hold'}; Alice is erased; they ${audit_holds_after_erasure ? 'hold' : 'DO NOT hold'}.`,
  )
  return {
    ...{ sent, rejections, replay_refused_after_kill, consent, eu_preset, effects },
    ...{ audit_holds, erased, audit_holds_after_erasure },
  }
}

/** True if each of it is as it should be. */
export const isAsPromised = ({ rejections, consent, effects, ...rest }: BoundaryResult): boolean =>
  rest.sent &&
  rejections.shapes === 1 &&
  rest.replay_refused_after_kill &&
  !consent.before &&
  consent.used &&
  !consent.again &&
  consent.expired &&
  rest.eu_preset === 'engine_not_resident' &&
  effects.every(({ expected, seen }) => expected === seen) &&
  rest.audit_holds &&
  rest.erased &&
  rest.audit_holds_after_erasure

async function sendOne(stage: Stage): Promise<boolean> {
  const { alice } = stage
  const asked = { properties: { verdict: { type: 'string' } }, attachments_out_allowed: ['data.txt'] }
  const schema = writeFile(alice, 'schema.json', JSON.stringify(asked))
  const data = writeFile(alice, 'data.txt', 'a,b')
  const back = join(alice.home, 'back')
  mkdirSync(back)
  const files = ['--schema', schema, '--attach', data, '--attach-out-dir', back]
  const { code, output } = await stage.serving(() => stage.send('Compare.', ...files))
  const isNarrowed = output.includes('"verdict"') && !output.includes('than was asked for')
  return code === 0 && isNarrowed && readFileSync(join(back, 'data.txt'), 'utf8') === 'a,b'
}

async function rejectAll(stage: Stage): Promise<BoundaryResult['rejections']> {
  const faults = await stage.forge.faults()
  const before = entriesOf(stage.bob, 'received').length
  const shapes = await stage.serving(async ({ url }) => {
    const seen = new Set<string>()
    for (const body of faults.values()) seen.add(await shapeOf(url, body))
    return seen
  })
  const added = entriesOf(stage.bob, 'received').slice(before)
  const reasons = new Set(
    added
      .filter(({ event }) => event === 'A2A.request_rejected')
      .map((entry) => objectAt(entry, 'fields')['reason']),
  )
  return { causes: faults.size, shapes: shapes.size, reasons: reasons.size }
}

async function replayAfterKill(stage: Stage): Promise<boolean> {
  const body = stage.forge.body()
  const once = await stage.serving(async (server) => {
    const shape = await shapeOf(server.url, body)
    await server.stop('SIGKILL')
    return shape
  })
  const again = await stage.serving(({ url }) => shapeOf(url, body))
  const { reason } = objectAt(entriesOf(stage.bob, 'received').at(-1) ?? {}, 'fields')
  return (
    !once.includes('"status":"rejected"') && again.includes('"status":"rejected"') && reason === '4:replay'
  )
}

async function askConsent(stage: Stage, nowSeconds: () => number): Promise<BoundaryResult['consent']> {
  const { alice, bob } = stage
  changeFile(stage.originFile, { personal_data: true, data_subject_id: alice.did })
  const isDone = async (purpose: string): Promise<boolean> =>
    (await stage.send('Compare.', '--purpose', purpose)).code === 0
  const consentTo = async (purpose: string, ...terms: readonly string[]): Promise<void> => {
    const file = join(alice.home, `${purpose}.json`)
    const parties = ['--to', alice.did, '--at', bob.did, '--purpose', purpose]
    await alice.must('consent', 'grant', ...parties, ...terms, '--out', file)
    await bob.must('consent', 'import', file)
  }
  await consentTo('late', '--ttl', String(LATE_SECONDS))
  const granted = nowSeconds()
  return stage.serving(async () => {
    const before = await isDone('compute')
    await consentTo('compute')
    const used = await isDone('compute')
    const again = await isDone('compute')
    await setTimeout(Math.max(0, granted + LATE_SECONDS + 1 - nowSeconds()) * 1000)
    return { before, used, again, expired: !(await isDone('late')) }
  })
}
