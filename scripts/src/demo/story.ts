import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { canonicalize, type JsonObject, type JsonValue, type Lane, parseJson } from '@parley/protocol'
import { sendInPlain } from './control.js'
import { type DemoRelay, startDemoRelay } from './demo-relay.js'
import { createParty, type Party, runCommand } from './party.js'
import { inRepository } from './paths.js'
import { sawPlaintext } from './plaintext-search.js'
import { startTappedProxy, type TappedProxy } from './tapped-proxy.js'

/** What the demo ends with. */
export type DemoResult = {
  readonly lane: Lane
  readonly platform: string
  readonly outcome: string
  readonly assurance_level: string
  readonly verdicts: readonly { participant: string; trusted: boolean; simulated: boolean; failed: string[] }[]
  readonly proxy_saw_plaintext: boolean
  readonly bundle_files: readonly string[]
}

/** Where the demo says what happens. */
export type Say = (line: string) => void

const CONTRACT = inRepository('registry/contracts/negotiation-band.json')
const CEILING = 48_731_900
const FLOOR = 45_118_300

/** Plays one session from two identities to two verdicts, all in processes of their own. */
export async function playDemo(lane: Lane, folder: string, say: Say): Promise<DemoResult> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const proxy = await startTappedProxy(folder)
  try {
    const relay = await startDemoRelay(lane, folder, proxy)
    try {
      return await confer(lane, folder, proxy, relay, say)
    } finally {
      await relay.stop()
    }
  } finally {
    await proxy.stop()
  }
}

async function confer(lane: Lane, folder: string, proxy: TappedProxy, relay: DemoRelay, say: Say): Promise<DemoResult> {
  say(`The relay runs in the ${lane} lane; the host-proxy stands before it at ${proxy.url}.`)
  const [buyer, seller] = await Promise.all([createParty('buyer', folder), createParty('seller', folder)])
  const inputs = {
    buyer: { ceiling: CEILING, currency: 'EUR' },
    seller: { floor: FLOOR, currency: 'EUR' },
  }
  const trust = (party: Party): string[] => [
    '--policy',
    party.write('policy.json', relay.policy),
    ...(relay.rootFile === null ? [] : ['--root', relay.rootFile]),
  ]
  say('Each participant appraises the relay over a nonce of its own, before it sends anything.')
  say(indent(await buyer.parley('session', 'new', '--relay', proxy.url, '--contract', CONTRACT, '--responder', seller.did, '--tag', 'price-limit', '--out', join(folder, 'invitation.json'), ...trust(buyer))))
  const invitation = readJson(join(folder, 'invitation.json'))
  const session = String(invitation['session_id'])
  await seller.parley('session', 'join', join(folder, 'invitation.json'), '--tag', 'price-limit', ...trust(seller))
  say('Both check and sign the offer, and seal their inputs to the attested key. The buyer is shown:')
  const submit = (party: Party, input: JsonObject): Promise<string> =>
    party.parley('session', 'submit', session, '--input', party.write('input.json', input), '--yes')
  const [terms] = await Promise.all([submit(buyer, inputs.buyer), submit(seller, inputs.seller)])
  say(indent(terms))
  const bundles = await Promise.all([buyer, seller].map((party) => fetchBundle(party, session, folder)))
  const verdicts = await Promise.all([buyer, seller].map((party, index) => verify(party, bundles[index] ?? '', relay, say)))
  return summarise({ lane, proxy, inputs, bundles, verdicts, say })
}

async function fetchBundle(party: Party, session: string, folder: string): Promise<string> {
  const file = join(folder, `${party.name}.parley.json`)
  await party.parley('session', 'result', session, '--wait', '--open-input', '--out', file)
  return file
}

type Judged = { participant: string; trusted: boolean; simulated: boolean; failed: string[]; level: string | null }

async function verify(party: Party, bundle: string, relay: DemoRelay, say: Say): Promise<Judged> {
  const args = ['bundle', bundle, '--policy', join(party.home, 'policy.json'), ...(relay.rootFile === null ? [] : ['--root', relay.rootFile])]
  const text = await runCommand('verifier/bin/parley-verify.js', args)
  say(`The ${party.name} verifies its bundle offline:`)
  say(indent(text))
  return judged(party.name, parseJson(await runCommand('verifier/bin/parley-verify.js', [...args, '--json'])))
}

function judged(participant: string, verdict: JsonValue): Judged {
  if (!isObject(verdict) || !Array.isArray(verdict['checks'])) throw new Error('parley-verify printed no verdict')
  const failed = verdict['checks'].filter(isObject).filter((check) => check['result'] === 'failed')
  return {
    participant,
    trusted: verdict['trusted'] === true,
    simulated: verdict['simulated'] === true,
    failed: failed.map((check) => String(check['name'])),
    level: typeof verdict['assurance_level'] === 'string' ? verdict['assurance_level'] : null,
  }
}

type Ending = {
  readonly lane: Lane
  readonly proxy: TappedProxy
  readonly inputs: Readonly<Record<'buyer' | 'seller', JsonObject>>
  readonly bundles: readonly string[]
  readonly verdicts: readonly Judged[]
  readonly say: Say
}

async function summarise({ lane, proxy, inputs, bundles, verdicts, say }: Ending): Promise<DemoResult> {
  const bundle = readJson(bundles[0] ?? '')
  const secrets = secretsOf(bundle, inputs)
  const log = proxy.log()
  say(`The host-proxy saw ${String(log.length)} requests: routes, size classes, ticks.`)
  say(indent(log.join('\n')))
  const proxy_saw_plaintext = sawPlaintext(proxy.bytes(), secrets)
  say(`Inputs, program or output among ${String(proxy.bytes().length)} bytes of its sockets, disk and output: ${proxy_saw_plaintext ? 'FOUND' : 'none'}.`)
  await sendInPlain(proxy.url, keyIdOf(log), canonicalize(inputs.buyer))
  say(`Control, the same input over plain HTTP: ${sawPlaintext(proxy.bytes(), secrets) ? 'found, so the search works' : 'NOT FOUND: the search is broken'}.`)
  const receipt = member(bundle, 'receipt')
  return {
    lane,
    platform: String(member(member(bundle, 'evidence'), 'keyset')['platform']),
    outcome: String(member(receipt, 'outcome')['status']),
    assurance_level: verdicts[0]?.level ?? 'none',
    verdicts: verdicts.map(({ level: _, ...verdict }) => verdict),
    proxy_saw_plaintext,
    bundle_files: bundles,
  }
}

// The numbers alone are searched too: whatever the spelling around them, they are the secrets.
function secretsOf(bundle: JsonObject, inputs: Ending['inputs']): string[] {
  const output = member(member(bundle, 'openings'), 'output')['output'] ?? null
  const program = member(member(bundle, 'contract'), 'program')['source']
  return [canonicalize(inputs.buyer), canonicalize(inputs.seller), String(CEILING), String(FLOOR), canonicalize(output), String(program)]
}

function keyIdOf(log: readonly string[]): number {
  for (const line of log) {
    const id = /"key_id":(\d+)/.exec(line)?.[1]
    if (id !== undefined) return Number(id)
  }
  throw new Error('the host-proxy saw no key id')
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function member(object: JsonObject, name: string): JsonObject {
  const value = object[name]
  if (!isObject(value)) throw new Error(`${name} is no object`)
  return value
}

function readJson(path: string): JsonObject {
  const value = parseJson(readFileSync(path))
  if (!isObject(value)) throw new Error(`${path} is no object`)
  return value
}

const indent = (text: string): string => text.trimEnd().replace(/^/gm, '    ')
