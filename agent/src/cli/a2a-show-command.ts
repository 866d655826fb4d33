import { rightsOf } from '@parley/guardian'
import { canonicalize, isJsonObject, type JsonObject } from '@parley/protocol'
import { EndpointFiles } from '../a2a/endpoint-files.js'
import { OriginFiles } from '../a2a/origin-files.js'
import { readPairingFile } from '../a2a/pairing-folder.js'
import { AgentError } from '../agent-error.js'
import { openA2aDesk, targetOf } from './a2a-desk.js'
import type { HomeOption } from './home.js'
import { type Io, printJson } from './io.js'

const KEYS = ['hmac_key', 'recv_key']

/** `parley a2a show-origin`: an origin's file without its keys, and the rights that come of it. */
export const runShowOrigin = async (name: string, options: HomeOption, io: Io): Promise<number> => {
  const { paths } = await openA2aDesk(options, io)
  const { id, found } = targetOf(name, new OriginFiles(paths.origins).list())
  if (!found.ok) throw new AgentError('state_malformed', `the origin is refused: ${found.reason}`)
  printJson(io, { file: withoutKeys(paths.origins, id), rights: rightsOf(found.value) })
  return 0
}

/** `parley a2a show-endpoint`: an endpoint's file without its keys. */
export const runShowEndpoint = async (name: string, options: HomeOption, io: Io): Promise<number> => {
  const { paths } = await openA2aDesk(options, io)
  const { id, found } = targetOf(name, new EndpointFiles(paths.endpoints).list())
  if (!found.ok) throw new AgentError('state_malformed', `the endpoint is refused: ${found.reason}`)
  printJson(io, { file: withoutKeys(paths.endpoints, id) })
  return 0
}

const withoutKeys = (folder: string, id: string): JsonObject => {
  const file = readPairingFile(folder, id)
  if (!isJsonObject(file))
    throw new Error(`what was read as a pairing is ${canonicalize(file).length} octets of else`)
  return Object.fromEntries(
    Object.entries(file).map(([name, value]) => [name, KEYS.includes(name) ? '(not shown)' : value]),
  )
}
