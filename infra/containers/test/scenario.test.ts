import { readFileSync } from 'node:fs'
import { isJsonObject, type JsonObject, parseJson } from '@parley/protocol'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inRepository } from '../../../scripts/src/demo/paths.js'
import type { ContainerPlace } from './container-place.js'
import type { Ended, Party, Place } from './place.js'
import { openProcessPlace } from './process-place.js'

// One session between two participants who reach the host-proxy alone. Where a container engine answers, everybody is a
// container; where none does, everybody is a process of this machine, and nothing is said of networks and rights.

const engine = process.env['PARLEY_ENGINE'] ?? 'none'
const onContainers = engine === 'own' || engine === 'found'
const OFFER = 'negotiation-band'

let place: Place

const good = async (ending: Promise<Ended>): Promise<string> => {
  const { code, out, err } = await ending
  expect({ code, out, err }).toMatchObject({ code: 0 })
  return out
}

const objectOf = (text: string): JsonObject => {
  const value = parseJson(new TextEncoder().encode(text))
  if (!isJsonObject(value)) throw new Error('no object')
  return value
}

const write = async (party: Party, name: string, text: string): Promise<string> => {
  const script = 'require("fs").writeFileSync(process.argv[1], process.argv[2], { mode: 0o600 })'
  await good(party.node(script, party.at(name), text))
  return party.at(name)
}

const read = (party: Party, name: string): Promise<string> =>
  good(party.node('process.stdout.write(require("fs").readFileSync(process.argv[1]))', party.at(name)))

const example = (name: string): string =>
  readFileSync(inRepository(`registry/examples/${OFFER}/${name}.json`), 'utf8')

const pinned = async (party: Party): Promise<string> => {
  await good(party.parley('relay', 'pin', place.proxyUrl, '--wait', '280', '--out', party.at('policy.json')))
  return party.at('policy.json')
}

const conferred = async (party: Party, session: string, input: string): Promise<JsonObject> => {
  const path = await write(party, 'input.json', example(input))
  await good(party.parley('session', 'submit', session, '--input', path, '--yes', '--wait', '280'))
  const out = party.at('bundle.json')
  await good(party.parley('session', 'result', session, '--wait', '280', '--out', out))
  await good(party.parley('verify', out, '--policy', party.at('policy.json')))
  return objectOf(await read(party, 'bundle.json'))
}

const meet = async ({ buyer, seller, proxyUrl }: Place): Promise<string> => {
  await good(buyer.parley('init'))
  const did = (await good(seller.parley('init'))).trim()
  const contract = buyer.at('contract.json')
  await good(buyer.parley('contract', 'build', OFFER, '--out', contract))
  const terms = ['--relay', proxyUrl, '--policy', await pinned(buyer), '--contract', contract]
  await good(buyer.parley('session', 'new', ...terms, '--invite', did, '--out', buyer.at('invitation.json')))
  const invitation = await write(seller, 'invitation.json', await read(buyer, 'invitation.json'))
  return (await good(seller.parley('session', 'join', invitation, '--policy', await pinned(seller)))).trim()
}

if (onContainers) {
  let containers: ContainerPlace
  beforeAll(async () => {
    const { openContainerPlace } = await import('./container-place.js')
    place = containers = await openContainerPlace()
  })
  describeContainers(() => containers)
} else {
  process.stdout.write(
    'no container engine answers: the scenario runs on processes, and says nothing of networks\n',
  )
  beforeAll(async () => {
    place = await openProcessPlace()
  })
}

afterAll(() => place.stop())

describe(onContainers ? 'in containers' : 'in processes', () => {
  test('two participants who reach the host-proxy alone confer, and both bundles verify', async () => {
    const session = await meet(place)
    const bundles = await Promise.all([
      conferred(place.buyer, session, 'initiator'),
      conferred(place.seller, session, 'responder'),
    ])
    for (const { receipt, openings } of bundles) {
      expect(receipt).toMatchObject({ outcome: { status: 'COMPLETED' }, assurance_level: 'SELF_ASSERTED' })
      expect(openings).toMatchObject({ output: { output: objectOf(example('expected')) } })
    }
  })
})

function describeContainers(containers: () => ContainerPlace): void {
  const ALL = ['relay', 'proxy', 'buyer', 'seller'] as const
  const run = async (name: (typeof ALL)[number], script: string): Promise<string> => {
    const { stdout, stderr, exitCode } = await containers().containers[name].exec([
      '/usr/bin/node',
      '-e',
      script,
    ])
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 })
    return stdout
  }
  // What is there answers at once; a loaded machine may take its time over it.
  const reaching = (host: string, port: number, waitMs = 60_000): string =>
    `const s = require("net").connect({ host: ${JSON.stringify(host)}, port: ${port}, timeout: ${waitMs} });` +
    's.on("connect", () => { process.stdout.write("reached"); s.destroy() });' +
    's.on("timeout", () => { process.stdout.write("not reached"); s.destroy() });' +
    's.on("error", () => process.stdout.write("not reached"))'

  describe('a container', () => {
    test.each(ALL)('of the %s runs as nobody in particular, and with no right beside', async (name) => {
      expect(await run(name, 'process.stdout.write(`${process.getuid()}:${process.getgid()}`)')).toBe(
        '65532:65532',
      )
      const status = await run(name, 'process.stdout.write(require("fs").readFileSync("/proc/1/status"))')
      expect(status).toMatch(/^CapEff:\t0+$/m)
      expect(status).toMatch(/^CapBnd:\t0+$/m)
      expect(status).toMatch(/^NoNewPrivs:\t1$/m)
    })

    test.each(ALL)('of the %s has no shell, and writes to nothing but its data', async (name) => {
      const script =
        'const fs = require("fs"); const left = ["/bin", "/bin/sh", "/usr/bin/env", "/sbin"].filter((p) => fs.existsSync(p));' +
        'const codes = ["/app/x", "/etc/parley-x", "/usr/bin/x", "/x"].map((p) => { try { fs.writeFileSync(p, ""); return "written" } catch (e) { return e.code } });' +
        'fs.writeFileSync("/var/lib/parley/x", ""); process.stdout.write(JSON.stringify({ left, codes }))'
      expect(JSON.parse(await run(name, script))).toEqual({ left: [], codes: Array(4).fill('EROFS') })
    })
  })

  describe('a participant', () => {
    test.each(['buyer', 'seller'] as const)(
      '(%s) reaches the host-proxy, and what it is for',
      async (name) => {
        expect(await run(name, reaching('host-proxy', 7080))).toBe('reached')
      },
    )

    test.each(['buyer', 'seller'] as const)(
      '(%s) reaches neither the relay nor the port where relays register',
      async (name) => {
        const { hidden } = containers()
        const barred = [
          ['relay', 7090],
          [hidden.relay, 7090],
          ['host-proxy', 7081],
          ['host-proxy-control', 7081],
          [hidden.proxy, 7081],
        ] as const
        const tried = barred.map(([host, port]) => run(name, reaching(host, port, 3000)))
        expect(await Promise.all(tried)).toEqual(barred.map(() => 'not reached'))
        // They are there, for the relay.
        expect(await run('relay', reaching('host-proxy-control', 7081))).toBe('reached')
        expect(await run('proxy', reaching('relay', 7090))).toBe('reached')
      },
    )
  })
}
