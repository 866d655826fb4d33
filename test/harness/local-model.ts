import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { PolicyBundle } from '@parley/enclave'
import { NO_REGISTRY } from '@parley/guardian'
import { type Contract, hash, type JsonObject, parseContract } from '@parley/protocol'
import { atEnd } from './cleanup.js'
import { NEGOTIATION, record } from './contracts.js'

const PROMPT: JsonObject = {
  version: '1.0.0',
  system_instruction: 'Say whether the two notes agree.',
  input_format: 'narrative',
}
const PROFILE: JsonObject = {
  profile_version: '1',
  profile_id: 'promise-local-v1',
  provider: 'local',
  model_id: 'tiny',
  model_family: 'tiny',
  reasoning_mode: 'unconstrained',
  structured_output: true,
}
const SCHEMA = record({ word: { type: 'string', enum: ['YES', 'NO'] } })
export const FILE_HASH = 'f1'.repeat(32)

const note = record({ note: { type: 'string', maxLength: 200 } })
const { program: _, program_hash: __, ...base } = NEGOTIATION

/** A contract that a model beside the relay evaluates; all that it names by hash is the relay's to have. */
export const MODELLED: Contract = parseContract({
  ...base,
  evaluator: 'local',
  output_schema: {},
  output_schema_hash: hash(SCHEMA),
  prompt_template_hash: hash(PROMPT),
  model_profile_id: 'promise-local-v1',
  model_profile_hash: hash(PROFILE),
  input_schemas: { initiator: note, responder: note },
})

/** A model server on loopback, and what it was asked. */
export type LocalModel = Pick<PolicyBundle, 'providers' | 'registry'> & { readonly heard: string[] }

const bodyOf = (text: string): string =>
  JSON.stringify({
    object: 'chat.completion',
    model: 'another-name',
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: text } }],
  })

/** Starts a server that answers each prompt with what a test has it say. */
export const startLocalModel = async (say: (asked: string) => string): Promise<LocalModel> => {
  const heard: string[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const asked = Buffer.concat(chunks).toString('utf8')
      heard.push(asked)
      response.writeHead(200, { 'content-type': 'application/json' }).end(bodyOf(say(asked)))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEnd(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const kept = [PROMPT, PROFILE, SCHEMA]
  return {
    heard,
    registry: { ...NO_REGISTRY, artefact: (_kind, named) => kept.find((each) => hash(each) === named) },
    providers: [
      {
        name: 'tiny',
        kind: 'local',
        host: '127.0.0.1',
        port,
        roots: [],
        account: 'none',
        api_key: 'none',
        attested: null,
        model_file: { sha256: FILE_HASH, path: null },
      },
    ],
  }
}
