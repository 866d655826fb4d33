import { basename, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { writeFile } from 'node:fs/promises'
import {
  type Classification,
  classificationOf,
  type FileToAttach,
  type IngressPorts,
  type OpenedAttachment,
} from '@parley/guardian'
import { isJsonObject, type JsonObject } from '@parley/protocol'
import type { Endpoint } from '../a2a/endpoint.js'
import { EndpointFiles } from '../a2a/endpoint-files.js'
import { type SentTask, sendTask } from '../a2a/send-task.js'
import { AgentError } from '../agent-error.js'
import { homeLog } from '../audit/home-log.js'
import { OwnLog } from '../audit/own-log.js'
import { orUnusable } from '../private-file.js'
import { type A2aDesk, openA2aDesk, targetOf } from './a2a-desk.js'
import type { HomeOption } from './home.js'
import { type Io, printJson } from './io.js'
import { readJsonFile, readNamedFile } from './read-input.js'

/** The options of `parley a2a send`. */
export type SendOptions = HomeOption & {
  readonly ttl?: number
  /** Milliseconds. */
  readonly timeout?: number
  readonly schema?: string
  readonly attach: readonly string[]
  readonly label?: string
  readonly attachOutDir?: string
  readonly purpose?: string
}

/** `parley a2a send`: gives a peer a task, and prints what it answers. */
export const runSend = async (name: string, said: string, options: SendOptions, io: Io): Promise<number> => {
  const desk = await openA2aDesk(options, io)
  const endpoint = endpointOf(desk, name)
  const sent = await sendTask(
    {
      identity: desk.identity,
      instance_id: desk.card.instance_id,
      audit: sentLog(desk, io),
      clock: io.clock,
    },
    {
      endpoint,
      instruction: said === '-' ? await text(process.stdin) : said,
      result_schema: await schemaOf(options),
      attachments: await filesOf(options),
      ...(options.purpose === undefined ? {} : { purpose_id: options.purpose }),
      ...(options.ttl === undefined ? {} : { ttl_s: options.ttl }),
      ...(options.timeout === undefined ? {} : { deadlineMs: options.timeout }),
    },
  )
  return await tell(sent, options, io)
}

const endpointOf = ({ paths }: A2aDesk, name: string): Endpoint => {
  const { found } = targetOf(name, new EndpointFiles(paths.endpoints).list())
  if (found.ok) return found.value
  throw new AgentError('state_malformed', `the endpoint is refused: ${found.reason}`)
}

/** Several commands of a home may send at a time: each takes the log for one entry. */
const sentLog = ({ home, identity }: A2aDesk, io: Io): IngressPorts['audit'] => ({
  append: (event) => OwnLog.use(homeLog(home, identity, 'sent'), io.clock, (log) => log.append(event)),
})

const schemaOf = async ({ schema }: SendOptions): Promise<JsonObject> => {
  const value = schema === undefined ? {} : await readJsonFile(schema)
  if (isJsonObject(value)) return value
  throw new AgentError('argument_invalid', 'a result schema is a JSON object')
}

const filesOf = ({ attach, label }: SendOptions): Promise<readonly FileToAttach[]> => {
  const classification = labelOf(label)
  return Promise.all(
    attach.map(async (path) => ({
      name: basename(path),
      mime: 'application/octet-stream',
      bytes: await readNamedFile(path),
      ...(classification === undefined ? {} : { classification }),
    })),
  )
}

const labelOf = (label: string | undefined): Classification | undefined => {
  const known = label === undefined ? undefined : classificationOf(label)
  if (label !== undefined && known === undefined)
    throw new AgentError('argument_invalid', 'a label is PUBLIC, INTERNAL, CONFIDENTIAL or SECRET')
  return known
}

const tell = async (sent: SentTask, options: SendOptions, io: Io): Promise<number> => {
  if (sent.kind === 'no_answer') {
    io.err('no_answer: whether the peer has the task is unknown\n')
    return 7
  }
  if (sent.kind === 'not_believed') {
    io.err(`not_believed: ${sent.reason}\n`)
    return sent.reason === 'response_malformed' || sent.reason === 'response_too_large' ? 5 : 4
  }
  const { response } = sent
  io.err(`${response.status}\n`)
  if (response.status === 'rejected') return 6
  printJson(io, response.data)
  await store(response.attachments, options, io)
  return response.status === 'timeout' ? 7 : 0
}

const store = async (
  files: readonly OpenedAttachment[],
  { attachOutDir }: SendOptions,
  io: Io,
): Promise<void> => {
  if (attachOutDir === undefined) {
    if (files.length > 0) io.err(`${files.length} files came back; --attach-out-dir keeps them\n`)
    return
  }
  for (const { name, bytes } of files) {
    const path = join(attachOutDir, name)
    await orUnusable(path, writeFile(path, bytes, { flag: 'wx', mode: 0o600 }))
  }
}
