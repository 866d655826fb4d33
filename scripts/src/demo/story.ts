import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { canonicalize, type JsonObject, type Lane } from '@parley/protocol'
import { startDemoModel } from './demo-model.js'
import { type DemoRelay, startDemoRelay } from './demo-relay.js'
import { type Judged, judgeBundle } from './judge-bundle.js'
import { objectAt, readObject, textAt } from './json-object.js'
import { createParty, type Party } from './party.js'
import { inRepository } from './paths.js'
import { openScenario, type Scenario } from './scenario.js'
import { startTappedProxy, type TappedProxy } from './tapped-proxy.js'
import { searchProxy } from './what-the-proxy-saw.js'

/** What the demo ends with. */
export type DemoResult = {
  readonly lane: Lane
  readonly platform: string
  readonly outcome: string
  readonly assurance_level: string
  readonly verdicts: readonly {
    readonly participant: string
    readonly trusted: boolean
    readonly simulated: boolean
    readonly failed: readonly string[]
  }[]
  readonly proxy_saw_plaintext: boolean
  readonly bundle_files: readonly string[]
}

/** The result, and what must hold beside it. */
export type Played = {
  readonly result: DemoResult
  /** Whether the search behind `proxy_saw_plaintext` found the control. */
  readonly controlFound: boolean
  /** Whether the output is the one that the registry's example says; of a model nothing is expected. */
  readonly asExpected: boolean
}

/** Where the demo says what happens. */
export type Say = (line: string) => void

type Scene = {
  readonly folder: string
  readonly scenario: Scenario
  readonly proxy: TappedProxy
  readonly relay: DemoRelay
  readonly say: Say
}

/** What is played, and where. */
export type Play = { readonly lane: Lane; readonly offer: string; readonly folder: string }

/** Plays one session from two identities to two verdicts, everything in processes of its own. */
export async function playDemo({ lane, offer, folder }: Play, say: Say): Promise<Played> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const scenario = await openScenario(offer, folder)
  const running: { stop(): Promise<void> }[] = []
  const started = <T extends { stop(): Promise<void> }>(part: T): T => {
    running.unshift(part)
    return part
  }
  try {
    const proxy = started(await startTappedProxy(folder))
    const model = scenario.expected === null ? started(await startDemoModel(folder)) : null
    const policyDirectory = model?.policyDirectory ?? inRepository('infra/policy')
    const relay = started(await startDemoRelay({ lane, folder, proxy, policyDirectory }))
    say(`The relay runs in the ${lane} lane; the host-proxy stands before it at ${proxy.url}.`)
    if (model !== null) say('A stand-in answers for the model: it names the first code of each kind.')
    return await play(lane, { folder, scenario, proxy, relay, say })
  } finally {
    for (const part of running) await part.stop()
  }
}

async function play(lane: Lane, scene: Scene): Promise<Played> {
  const { folder, scenario, relay, say } = scene
  const [first, second] = scenario.seats
  const parties = await Promise.all([createParty(first.name, folder), createParty(second.name, folder)])
  const session = await meet(scene, ...parties)
  const [terms] = await Promise.all([
    submit(parties[0], session, first.input),
    submit(parties[1], session, second.input),
  ])
  say(
    `Both checked and signed the offer, and sealed their inputs to the attested key. The ${first.name} was shown:`,
  )
  say(indent(terms))
  const files = await Promise.all(parties.map((party) => fetchBundle(party, session, folder)))
  const verdicts = await Promise.all(parties.map((party, at) => judgeBundle(party, files[at] ?? '', relay)))
  for (const { participant, text } of verdicts)
    say(`The ${participant} verifies its bundle offline:\n${indent(text)}`)
  return end(lane, scene, files, verdicts)
}

// Each party's own name for the secret that this session is about.
const TAG = ['--tag', 'demo']

async function meet(
  { folder, scenario, proxy, relay, say }: Scene,
  initiator: Party,
  responder: Party,
): Promise<string> {
  const root = relay.rootFile === null ? [] : ['--root', relay.rootFile]
  const trust = (party: Party): string[] => ['--policy', party.write('policy.json', relay.policy), ...root]
  const invitation = join(folder, 'invitation.json')
  say('Each participant appraises the relay over a nonce of its own, before it sends anything.')
  const at = ['--relay', proxy.url, '--contract', scenario.contractFile, '--invite', responder.did]
  await initiator.parley('session', 'new', ...at, ...TAG, '--out', invitation, ...trust(initiator))
  await responder.parley('session', 'join', invitation, ...TAG, ...trust(responder))
  return textAt(readObject(invitation), 'session_id')
}

const submit = (party: Party, session: string, input: JsonObject): Promise<string> =>
  party.parley('session', 'submit', session, '--input', party.write('input.json', input), '--yes')

async function fetchBundle(party: Party, session: string, folder: string): Promise<string> {
  const file = join(folder, `${party.name}.parley.json`)
  await party.parley('session', 'result', session, '--wait', '--open-input', '--out', file)
  return file
}

async function end(
  lane: Lane,
  { folder, scenario, proxy, relay, say }: Scene,
  files: readonly string[],
  verdicts: readonly Judged[],
): Promise<Played> {
  const bundle = readObject(files[0] ?? '')
  const log = proxy.log()
  say(`The host-proxy saw ${log.length} requests: routes, size classes, ticks.\n${indent(log.join('\n'))}`)
  const search = await searchProxy(proxy, { inputs: scenario.seats.map(({ input }) => input), bundle })
  say(
    `Inputs, program or output in ${search.bytes} bytes of its sockets, disk and output: ${search.sawPlaintext ? 'FOUND' : 'none'}.`,
  )
  say(
    `Control, the same input over plain HTTP: ${search.controlFound ? 'found, so the search works' : 'NOT FOUND, the search is broken'}.`,
  )
  const root = relay.rootFile === null ? '' : ` --root ${relay.rootFile}`
  say(
    `Again: npx --no-install parley-verify bundle ${files[0] ?? ''} --policy ${join(folder, scenario.seats[0].name, 'policy.json')}${root}`,
  )
  const result = {
    lane,
    platform: textAt(objectAt(objectAt(bundle, 'evidence'), 'keyset'), 'platform'),
    outcome: textAt(objectAt(objectAt(bundle, 'receipt'), 'outcome'), 'status'),
    assurance_level: verdicts[0]?.level ?? 'none',
    verdicts: verdicts.map(({ participant, trusted, simulated, failed }) => ({
      participant,
      trusted,
      simulated,
      failed,
    })),
    proxy_saw_plaintext: search.sawPlaintext,
    bundle_files: files,
  }
  return { result, controlFound: search.controlFound, asExpected: isExpected(scenario, bundle) }
}

const isExpected = ({ expected }: Scenario, bundle: JsonObject): boolean =>
  expected === null ||
  canonicalize(expected) === canonicalize(objectAt(objectAt(bundle, 'openings'), 'output')['output'] ?? null)

const indent = (text: string): string => text.trimEnd().replace(/^/gm, '    ')
