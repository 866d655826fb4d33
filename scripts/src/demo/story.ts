import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject, Lane } from '@parley/protocol'
import { type DemoRelay, startDemoRelay } from './demo-relay.js'
import { type Judged, judgeBundle } from './judge-bundle.js'
import { objectAt, readObject, textAt } from './json-object.js'
import { createParty, type Party } from './party.js'
import { inRepository } from './paths.js'
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

/** The result, and whether the search behind `proxy_saw_plaintext` found the control. */
export type Played = { readonly result: DemoResult; readonly controlFound: boolean }

/** Where the demo says what happens. */
export type Say = (line: string) => void

type Scene = {
  readonly folder: string
  readonly proxy: TappedProxy
  readonly relay: DemoRelay
  readonly say: Say
}

const CONTRACT = inRepository('registry/contracts/negotiation-band.json')
const INPUTS = {
  buyer: { ceiling: 48_731_900, currency: 'EUR' },
  seller: { floor: 45_118_300, currency: 'EUR' },
}

/** Plays one session from two identities to two verdicts, everything in processes of its own. */
export async function playDemo(lane: Lane, folder: string, say: Say): Promise<Played> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const proxy = await startTappedProxy(folder)
  try {
    const relay = await startDemoRelay(lane, folder, proxy)
    try {
      say(`The relay runs in the ${lane} lane; the host-proxy stands before it at ${proxy.url}.`)
      return await play(lane, { folder, proxy, relay, say })
    } finally {
      await relay.stop()
    }
  } finally {
    await proxy.stop()
  }
}

async function play(lane: Lane, scene: Scene): Promise<Played> {
  const { folder, relay, say } = scene
  const parties = await Promise.all([createParty('buyer', folder), createParty('seller', folder)])
  const session = await meet(scene, ...parties)
  const [terms] = await Promise.all(
    parties.map((party, index) => submit(party, session, index === 0 ? INPUTS.buyer : INPUTS.seller)),
  )
  say('Both checked and signed the offer, and sealed their inputs to the attested key. The buyer was shown:')
  say(indent(terms ?? ''))
  const files = await Promise.all(parties.map((party) => fetchBundle(party, session, folder)))
  const verdicts = await Promise.all(parties.map((party, at) => judgeBundle(party, files[at] ?? '', relay)))
  for (const { participant, text } of verdicts)
    say(`The ${participant} verifies its bundle offline:\n${indent(text)}`)
  return end(lane, scene, files, verdicts)
}

async function meet({ folder, proxy, relay, say }: Scene, buyer: Party, seller: Party): Promise<string> {
  const root = relay.rootFile === null ? [] : ['--root', relay.rootFile]
  const trust = (party: Party): string[] => ['--policy', party.write('policy.json', relay.policy), ...root]
  const invitation = join(folder, 'invitation.json')
  say('Each participant appraises the relay over a nonce of its own, before it sends anything.')
  const at = ['--relay', proxy.url, '--contract', CONTRACT, '--responder', seller.did]
  await buyer.parley('session', 'new', ...at, '--tag', 'price-limit', '--out', invitation, ...trust(buyer))
  await seller.parley('session', 'join', invitation, '--tag', 'price-limit', ...trust(seller))
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
  { folder, proxy, relay, say }: Scene,
  files: readonly string[],
  verdicts: readonly Judged[],
): Promise<Played> {
  const bundle = readObject(files[0] ?? '')
  const log = proxy.log()
  say(`The host-proxy saw ${log.length} requests: routes, size classes, ticks.\n${indent(log.join('\n'))}`)
  const search = await searchProxy(proxy, { inputs: Object.values(INPUTS), bundle })
  say(
    `Inputs, program or output in ${search.bytes} bytes of its sockets, disk and output: ${search.sawPlaintext ? 'FOUND' : 'none'}.`,
  )
  say(
    `Control, the same input over plain HTTP: ${search.controlFound ? 'found, so the search works' : 'NOT FOUND, the search is broken'}.`,
  )
  const root = relay.rootFile === null ? '' : ` --root ${relay.rootFile}`
  say(
    `Again: npx --no-install parley-verify bundle ${files[0] ?? ''} --policy ${join(folder, 'buyer/policy.json')}${root}`,
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
  return { result, controlFound: search.controlFound }
}

const indent = (text: string): string => text.trimEnd().replace(/^/gm, '    ')
