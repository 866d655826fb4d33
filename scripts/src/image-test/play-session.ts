import { join } from 'node:path'
import { canonicalize, type JsonObject } from '@parley/protocol'
import { type Judged, judgeBundle } from '../demo/judge-bundle.js'
import { objectAt, readObject, textAt } from '../demo/json-object.js'
import { createParty, type Party } from '../demo/party.js'
import { openScenario } from '../demo/scenario.js'

/** Where a session is held, and what its participants expect. */
export type SessionPlace = {
  readonly folder: string
  /** The host-proxy's. */
  readonly url: string
  readonly policy: JsonObject
  readonly rootFile: string
}

/** How it ended. */
export type PlayedSession = {
  readonly status: string
  /** Whether the output is what the registry's example says. */
  readonly asExpected: boolean
  readonly judged: readonly Judged[]
}

const OFFER = 'negotiation-band'

/** Two participants confer, by the commands that participants have, and verify what they got. */
export async function playSession({ folder, url, policy, rootFile }: SessionPlace): Promise<PlayedSession> {
  const { contractFile, seats, expected } = await openScenario(OFFER, folder)
  const [first, second] = seats
  const initiator = await createParty(first.name, folder)
  const responder = await createParty(second.name, folder)
  const trust = (party: Party): string[] => [
    '--policy',
    party.write('policy.json', policy),
    '--root',
    rootFile,
  ]
  const invitation = join(folder, 'invitation.json')
  const at = ['--relay', url, '--contract', contractFile, '--invite', responder.did, '--tag', 'image-test']
  await initiator.parley('session', 'new', ...at, '--out', invitation, ...trust(initiator))
  await responder.parley('session', 'join', invitation, '--tag', 'image-test', ...trust(responder))
  const session = textAt(readObject(invitation), 'session_id')
  const submit = (party: Party, input: JsonObject): Promise<string> =>
    party.parley('session', 'submit', session, '--input', party.write('input.json', input), '--yes')
  await Promise.all([submit(initiator, first.input), submit(responder, second.input)])
  const judged: Judged[] = []
  for (const party of [initiator, responder]) {
    const file = join(folder, `${party.name}.parley.json`)
    await party.parley('session', 'result', session, '--wait', '--open-input', '--out', file)
    judged.push(await judgeBundle(party, file, { rootFile }))
  }
  const bundle = readObject(join(folder, `${first.name}.parley.json`))
  return {
    status: textAt(objectAt(objectAt(bundle, 'receipt'), 'outcome'), 'status'),
    asExpected:
      canonicalize(expected) ===
      canonicalize(objectAt(objectAt(bundle, 'openings'), 'output')['output'] ?? null),
    judged,
  }
}
