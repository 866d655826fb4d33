import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { jsonLog, loadPolicyBundle, type Relay, startRelay, systemClock } from '@parley/enclave'
import { type Contract, isJsonObject, type JsonObject, parseContract, parseJson } from '@parley/protocol'
import type { Heard } from '../../../enclave/test/model/doubles/api-server.js'
import { DOUBLES, HOST, theAuthority, toLoopback } from '../../../enclave/test/model/doubles/open-double.js'
import { demoPolicy } from '../../../scripts/src/demo/policy.js'
import { atEnd, freshFolder } from '../../../test/harness/cleanup.js'
import { theProcessor } from '../../../test/harness/processor.js'
import { fresh, POLICY_DIRECTORY, relayConfig, SHORT } from '../../../test/harness/relay.js'
import { type Stage, stageBefore } from '../../../test/harness/stage.js'
import { run } from '../../src/index.js'

/** The provider's key: who has it may spend the operator's money. */
export const KEY = 'sk-ant-the-key-of-the-operator'

export type Said = { readonly code: number; readonly out: string; readonly err: string }

/** Runs `parley`. */
export const parley = async (...argv: readonly string[]): Promise<Said> => {
  const said = { out: '', err: '' }
  const code = await run(argv, {
    out: (more) => void (said.out += more),
    err: (more) => void (said.err += more),
    env: {},
    confirm: null,
    clock: { nowMs: () => Date.now(), sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)) },
  })
  return { code, ...said }
}

/** A provider, and what it was asked. */
type Model = { readonly port: number; readonly heard: readonly Heard[] }

/** A confidential relay, the provider that its contracts need, and what its operator has. */
export type Scene = {
  readonly relay: Relay
  readonly stage: Stage
  readonly model: Model
  /** A contract that the provider's model evaluates. */
  readonly contract: Contract
  /** Every line that the relay logged. */
  readonly lines: readonly string[]
  readonly store: string
  /** Writes a file that its owner alone may read. */
  readonly file: (name: string, text: string, mode?: number) => string
  /** Runs `parley provision` as the authority of the relay's bundle, with these secrets. */
  readonly provision: (secrets: JsonObject, ...more: readonly string[]) => Promise<Said>
  readonly health: () => Promise<unknown>
}

/** Opens a scene on a simulated processor. The provider is on loopback; TLS with it ends in the relay. */
export const openScene = async (): Promise<Scene> => {
  const folder = freshFolder()
  const file: Scene['file'] = (name, content, mode = 0o600) => {
    writeFileSync(join(folder, name), content, { mode })
    return join(folder, name)
  }
  const authority = (await parley('init', '--home', join(folder, 'authority'))).out.trim()
  const directory = await bundleFor(authority)
  const model = await startModel()
  const lines: string[] = []
  const store = freshFolder()
  const { collector, rootCertificate } = await theProcessor()
  const relay = await startRelay({
    config: { ...relayConfig('confidential', store), policy_directory: directory },
    collector,
    environment: { PATH: '/bin' },
    connect: toLoopback(model.port),
    clock: systemClock(),
    random: fresh,
    log: jsonLog((line) => lines.push(line)),
  })
  atEnd(() => relay.close())
  const policy = policyOf(relay, directory)
  const stage = await stageBefore({ url: relay.url, trust: { policy, roots: [rootCertificate] } })
  writeFileSync(join(folder, 'root.der'), rootCertificate)
  const always = [
    ...['--authority', join(folder, 'authority', 'identity.json'), '--root', join(folder, 'root.der')],
    ...['--policy', file('policy.json', JSON.stringify(policy))],
  ]
  return {
    ...{ relay, stage, model, lines, store, file, contract: await contractIn(folder) },
    provision: (secrets, ...more) => {
      const path = file('secrets.json', JSON.stringify(secrets))
      return parley('provision', stage.host.url, ...always, '--secrets', path, ...more)
    },
    health: async () => JSON.parse(await (await fetch(`${relay.url}/health`)).text()) as unknown,
  }
}

/** The shipped policy at a test's pace, with one remote provider, and one who may bring its key. */
const bundleFor = async (authority: string): Promise<string> => {
  const folder = join(freshFolder(), 'policy')
  cpSync(POLICY_DIRECTORY, folder, { recursive: true })
  const read = (name: string): JsonObject => objectIn(join(folder, name))
  const write = (name: string, value: JsonObject): void => {
    writeFileSync(join(folder, name), JSON.stringify(value))
  }
  const provider = {
    ...{ name: 'claude', kind: 'anthropic', host: HOST, port: 443, roots: ['web.pem'] },
    ...{ account: 'acme-research', api_key: 'required' },
  }
  write('providers.json', { version: 'parley-providers-v1', providers: [provider] })
  mkdirSync(join(folder, 'providers'))
  writeFileSync(join(folder, 'providers', 'web.pem'), (await theAuthority()).root)
  write('provisioning.json', { version: 'parley-provisioning-v1', authorities: [authority] })
  write('egress.json', { ...read('egress.json'), allowed_hosts: [{ host: HOST, port: 443, region: 'us' }] })
  write('engines.json', {
    ...read('engines.json'),
    engines: [
      { id: 'cel', locality: 'local', egress: 'none' },
      { id: 'claude', locality: 'us_cloud', egress: 'external' },
    ],
    allowed_engines: ['cel', 'claude'],
  })
  write('limits.json', { ...read('limits.json'), ...SHORT, model_slot_ms: 8000 })
  return folder
}

const objectIn = (path: string): JsonObject => {
  const value = parseJson(readFileSync(path))
  if (!isJsonObject(value)) throw new Error(`${path} is no object`)
  return value
}

/** Anthropic's API over TLS, whose model answers with the first value that the asked schema allows. */
const startModel = async (): Promise<Model> => {
  const heard: Heard[] = []
  const server = createServer({ ...(await (await theAuthority()).issue(HOST)) }, (request, response) => {
    void text(request).then((body) => {
      const { method = '', url: path = '', headers } = request
      const asked = { method, path, headers, text: body }
      heard.push(asked)
      const draft = JSON.stringify(firstOf(schemaIn(body)))
      const told = DOUBLES.anthropic(KEY, { does: 'complete', text: draft })(asked)
      response.writeHead(told.status, { 'content-type': 'application/json' }).end(told.body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEnd(() => {
    server.close()
    server.closeAllConnections()
  })
  return { port: (server.address() as AddressInfo).port, heard }
}

type Schema = { readonly enum?: readonly unknown[]; readonly properties?: Readonly<Record<string, Schema>> }

const schemaIn = (body: string): Schema =>
  (JSON.parse(body) as { output_config: { format: { schema: Schema } } }).output_config.format.schema

const firstOf = (schema: Schema): unknown =>
  schema.enum?.[0] ??
  Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, member]) => [name, firstOf(member)]))

const policyOf = ({ keyset }: Relay, directory: string): JsonObject => {
  const { hash, profile } = loadPolicyBundle(directory, 'confidential')
  return demoPolicy({
    ...{ lane: 'confidential', version: keyset.release.version, receiptKey: keyset.receipt_key },
    ...{ policyBundleHash: hash, profileHash: profile.hash },
  })
}

const contractIn = async (folder: string): Promise<Contract> => {
  const out = join(folder, 'contract.json')
  const asked = ['contract', 'build', 'compatibility', '--profile', 'parley-claude-sonnet-v1', '--out', out]
  const said = await parley(...asked)
  if (said.code !== 0) throw new Error(said.err)
  return parseContract(objectIn(out))
}
