import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadPolicyBundle } from '@parley/enclave'
import { type Evidence, type JsonObject, type Lane, parseEvidence, parseJson } from '@parley/protocol'
import { startChild } from './child.js'
import { CLEAN_ENVIRONMENT, inRepository } from './paths.js'
import { demoPolicy } from './policy.js'
import type { TappedProxy } from './tapped-proxy.js'

/** A relay process, and what its operator hands to participants by another way than the host-proxy. */
export type DemoRelay = {
  readonly policy: JsonObject
  /** The simulated root, in the confidential lane. */
  readonly rootFile: string | null
  stop(): Promise<void>
}

/** Where a demo's relay runs, and under which policy bundle. */
export type RelayPlace = {
  readonly lane: Lane
  readonly folder: string
  readonly proxy: TappedProxy
  readonly policyDirectory: string
}

/** Starts the relay of a lane behind the proxy: `parley-relay`, or the same relay on a simulated processor. */
export async function startDemoRelay(place: RelayPlace): Promise<DemoRelay> {
  const { lane, folder, proxy } = place
  const rootFile = lane === 'confidential' ? join(folder, 'simulated-root.der') : null
  const configFile = join(folder, 'relay.json')
  writeFileSync(configFile, JSON.stringify(config(place)))
  const child = startChild('relay', command(configFile, rootFile), CLEAN_ENVIRONMENT)
  const url = await child.waitFor(startedUrl)
  proxy.connectRelay(Number(new URL(url).port))
  return {
    policy: policyFor(place, await bootEvidence(url)),
    rootFile,
    stop: async () => {
      await child.stop()
    },
  }
}

function config({ folder, proxy, policyDirectory }: RelayPlace): JsonObject {
  return {
    listen: { host: '127.0.0.1', port: 0 },
    proxy: proxy.controlUrl,
    advertise_url: proxy.relayUrl,
    store_directory: join(folder, 'store'),
    policy_directory: policyDirectory,
    image_digest: null,
  }
}

function command(configFile: string, rootFile: string | null): string[] {
  return rootFile === null
    ? [inRepository('enclave/bin/parley-relay.js'), '--profile', 'software', '--config', configFile]
    : [inRepository('scripts/dist/demo/confidential-relay.js'), configFile, rootFile]
}

function startedUrl(line: string): string | undefined {
  return /"event":"relay_started".*"url":"([^"]+)"/.exec(line)?.[1]
}

async function bootEvidence(url: string): Promise<Evidence> {
  const response = await fetch(`${url}/evidence`)
  return parseEvidence(parseJson(new Uint8Array(await response.arrayBuffer())))
}

// What the source determines is computed from the source; the receipt key of the software lane is pinned as seen here.
function policyFor({ lane, policyDirectory }: RelayPlace, { keyset }: Evidence): JsonObject {
  const bundle = loadPolicyBundle(policyDirectory, lane)
  return demoPolicy({
    lane,
    version: keyset.release.version,
    policyBundleHash: bundle.hash,
    profileHash: bundle.profile.hash,
    receiptKey: keyset.receipt_key,
  })
}
