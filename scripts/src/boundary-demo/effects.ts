import { setTimeout } from 'node:timers/promises'
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, parseJson } from '@parley/protocol'
import { objectAt } from '../demo/json-object.js'
import { entriesOf, type Peer, writeRules } from './peer.js'
import type { Stage } from './stage.js'

const ENGINES = {
  engines: [{ id: 'command', locality: 'local', egress: 'external' }],
  allowed_engines: ['command'],
}
const US_ENGINES = {
  ...ENGINES,
  engines: [{ id: 'command', locality: 'us_cloud', egress: 'external' }],
}
const MAY = '@id("may") permit (principal, action == Action::"tool.invoke", resource is Tool);'
const MAY_NOT = '@id("may-not") forbid (principal, action == Action::"tool.invoke", resource is Tool);'
const ASK = `@id("ask") permit (principal, action == Action::"tool.invoke", resource is Tool)
when { context.approved };`

/** An end of an effect as it should be, and as Bob's log has it. */
export type EffectEnd = { readonly scene: string; readonly expected: string; readonly seen: string }

/** Drives the same effect, a task's work, to each of its ends. */
export async function driveEffects(stage: Stage): Promise<readonly EffectEnd[]> {
  const { bob } = stage
  const rules = (cedar: string): void => {
    writeRules(bob, cedar, { 'engines.json': ENGINES, 'residency.json': {} })
  }
  const end = endingOf(stage)
  rules(MAY)
  const ends = await stage.serving(async () => [
    await end('allowed', 'completed', 'Compare.'),
    await end('a worker that fails', 'failed execution_error', 'Fail.'),
    await end('its time is over', 'cancelled', 'Sleep.', ['--ttl', '20']),
    await lie(stage),
  ])
  rules(MAY_NOT)
  ends.push(await stage.serving(() => end('forbidden', 'denied policy_denied', 'Compare.')))
  rules(ASK)
  ends.push(
    ...(await stage.serving(async () => [
      await end('approved', 'completed', 'Compare.', [], (digest) => bob.must('approve', digest, '--yes')),
      await approveAgain(bob),
      await end('the owner says no', 'denied approval_denied', 'Compare.', [], (digest) =>
        bob.must('deny', digest),
      ),
    ])),
    await stage.serving(
      () => end('nobody answers', 'expired approval_expired', 'Compare.'),
      ...['--approval-wait', '1'],
    ),
  )
  rules(MAY)
  const [, spent] = await stage.serving(
    async () => [
      await end('within the quota', 'completed', 'Compare.'),
      await end('beyond the quota', 'denied quota_exceeded', 'Compare.'),
    ],
    ...['--runs-per-minute', '1'],
  )
  return [...ends, spent]
}

/** Lets EU_PRODUCTION meet an engine elsewhere: what the log says of it. */
export async function meetForeignEngine(stage: Stage): Promise<string> {
  writeRules(stage.bob, MAY, { 'engines.json': US_ENGINES, 'residency.json': { preset: 'EU_PRODUCTION' } })
  return stage.serving(async () => {
    await stage.send('Compare.')
    const fields = objectAt(entriesOf(stage.bob, 'own').at(-1) ?? {}, 'fields')
    return textOf(fields['reason'])
  })
}

type Answer = (digest: string) => Promise<string>

const endingOf =
  (stage: Stage) =>
  async (
    scene: string,
    expected: string,
    said: string,
    options: readonly string[] = [],
    answer?: Answer,
  ): Promise<EffectEnd> => {
    // Whoever answers may take their time.
    const sent = stage.send(said, ...(answer === undefined ? options : [...options, '--ttl', '300']))
    if (answer !== undefined) await answer(await waitingDigest(stage.bob, sent))
    await sent
    const last = entriesOf(stage.bob, 'own').findLast(({ event }) => textOf(event).startsWith('effect.'))
    const kind = textOf(last?.['event']).replace('effect.', '')
    const reason = kind === 'cancelled' ? '' : textOf(objectAt(last ?? {}, 'fields')['reason'])
    return { scene, expected, seen: `${kind} ${reason}`.trim() }
  }

/** A worker claims deeds in prose: what is done is that it ran, and nothing comes back. */
async function lie(stage: Stage): Promise<EffectEnd> {
  const { bob } = stage
  const before = entriesOf(bob, 'own').length
  const { output } = await stage.send('Lie.')
  const done = entriesOf(bob, 'own')
    .slice(before)
    .filter(({ event }) => event === 'effect.completed')
    .map((entry) => textOf(objectAt(entry, 'fields')['action']))
  return {
    scene: 'a worker that claims to have sent a mail',
    expected: 'filtered {}; done: tool.invoke',
    seen: `${output.trim().split(/\s+/).sort().join(' ')}; done: ${done.join(', ')}`,
  }
}

/** What was used can't be approved a second time. */
async function approveAgain(bob: Peer): Promise<EffectEnd> {
  const [used] = listOf(await bob.must('approvals', 'list', '--all', '--json'))
  const { code } = await bob.run('approve', textOf(used?.['effect_digest']), '--yes')
  return { scene: 'approved again', expected: 'refused', seen: code === 0 ? 'approved' : 'refused' }
}

/** The effect that waits for its owner, by its digest. Throws where its task ends without asking. */
async function waitingDigest(bob: Peer, sent: Promise<unknown>): Promise<string> {
  const task = { hasEnded: false }
  void sent.then(() => (task.hasEnded = true))
  while (!task.hasEnded) {
    const [first] = listOf(await bob.must('approvals', 'list', '--json'))
    if (first !== undefined) return textOf(first['effect_digest'])
    await setTimeout(100)
  }
  throw new Error('a task ended before its owner was asked')
}

const listOf = (text: string): readonly JsonObject[] => {
  const listed = parseJson(text)
  return isJsonArray(listed) ? listed.filter(isJsonObject) : []
}

const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '')
