import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { canonicalize, toHex } from '@parley/protocol'
import * as v from 'valibot'
import { type InstanceCard, instanceCard } from '../a2a/instance-id.js'
import { drawPairing, endpointFileOf, originFileOf, parsePairing } from '../a2a/pairing.js'
import { readPrivateJson, writePairingFile } from '../a2a/pairing-folder.js'
import { AgentError } from '../agent-error.js'
import { createPrivateFile } from '../private-file.js'
import { type A2aDesk, openA2aDesk } from './a2a-desk.js'
import type { HomeOption } from './home.js'
import type { Io } from './io.js'
import { readJsonFile } from './read-input.js'

/** The options of `parley a2a pair`. */
export type PairOptions = HomeOption & {
  readonly peer?: string
  readonly out?: string
  readonly accept?: string
  readonly id?: string
  readonly enable?: true
  readonly force?: true
  readonly maxTtl: number
  readonly persona: readonly string[]
  readonly purpose: readonly string[]
}

/** `parley a2a pair`: as receiver draws the keys for a peer's card, as sender takes what the receiver wrote. */
export const runPair = async (
  label: string,
  url: string | undefined,
  options: PairOptions,
  io: Io,
): Promise<number> => {
  const desk = await openA2aDesk(options, io)
  const { accept, peer, out } = options
  if (accept !== undefined && url === undefined && peer === undefined && out === undefined)
    return await acceptPairing(desk, label, accept, options, io)
  if (accept === undefined && url !== undefined && peer !== undefined && out !== undefined)
    return await offerPairing(desk, { label, url, peer, out }, options, io)
  throw new AgentError(
    'argument_invalid',
    'give URL, --peer and --out to take tasks, or --accept to send them',
  )
}

type Offered = { readonly label: string; readonly url: string; readonly peer: string; readonly out: string }

const offerPairing = async (
  { card, paths }: A2aDesk,
  { label, url, peer, out }: Offered,
  options: PairOptions,
  io: Io,
): Promise<number> => {
  const id = options.id ?? freshId()
  const sender = await readCard(peer)
  const terms = { origin_id: id, max_ttl_s: options.maxTtl }
  const pairing = drawPairing({ receiver: card, sender, url }, terms)
  const origin = originFileOf(pairing, {
    label,
    enabled: options.enable === true,
    max_ttl_s: options.maxTtl,
    // A worker acts as someone: who names nobody has an observer.
    spawn_worker: options.persona.length > 0,
    allowed_personas: options.persona,
    allowed_purposes: options.purpose.length > 0 ? options.purpose : null,
  })
  await createPrivateFile(out, `${canonicalize(pairing)}\n`)
  try {
    await writePairingFile(paths.origins, id, origin, options.force === true)
  } catch (error) {
    await rm(out, { force: true })
    throw error
  }
  io.out(`${id}\n`)
  io.err(`${out} holds the keys: give it to ${sender.did} by a way that nobody else reads\n`)
  sayIfOff(options, io)
  return 0
}

const acceptPairing = async (
  { card, paths }: A2aDesk,
  label: string,
  path: string,
  options: PairOptions,
  io: Io,
): Promise<number> => {
  const pairing = parsePairing(readPrivateJson(path))
  const id = options.id ?? freshId()
  const endpoint = endpointFileOf(pairing, card, {
    endpoint_id: id,
    label,
    enabled: options.enable === true,
  })
  await writePairingFile(paths.endpoints, id, endpoint, options.force === true)
  io.out(`${id}\n`)
  io.err(`${path} isn't needed any more: delete it\n`)
  sayIfOff(options, io)
  return 0
}

const sayIfOff = ({ enable }: PairOptions, io: Io): void => {
  if (enable !== true) io.err('the pairing is off until "enabled" in its file is true\n')
}

const freshId = (): string => `peer-${toHex(randomBytes(6))}`

const readCard = async (path: string): Promise<InstanceCard> => {
  const read = v.safeParse(instanceCard, await readJsonFile(path))
  if (read.success) return read.output
  throw new AgentError('argument_invalid', `${path} is not what \`parley instance-id show --json\` prints`)
}
