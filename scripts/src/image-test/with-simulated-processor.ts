import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadPolicyBundle } from '@parley/enclave'
import { DEFAULT_LIMITS, startProxy } from '@parley/host-proxy'
import type { JsonObject } from '@parley/protocol'
import { objectAt } from '../demo/json-object.js'
import { inRepository } from '../demo/paths.js'
import { DEMO_MEASUREMENT, demoPolicy } from '../demo/policy.js'
import { buildImage, type Image } from '../image/build-image.js'
import { predictPcrs } from '../image/predict-pcrs.js'
import { releaseVersion } from '../image/release-version.js'
import { signUki } from '../image/sign-uki.js'
import { createSimulatedProcessor } from '../processor/index.js'
import { buildTestModule } from './build-test-module.js'
import { enrollKeys } from './enroll-keys.js'
import { freePort } from './free-port.js'
import { serveHostMetadata } from './host-metadata.js'
import { type Machine, startMachine } from './machine.js'
import { playSession } from './play-session.js'
import { printedPcrs } from './printed-pcrs.js'
import { relayAttribute } from './relay-attribute.js'
import { openSimulatedLine } from './simulated-line.js'
import { type TestStand, writeMachineDisk } from './test-stand.js'
import type { Verdicts } from './verdicts.js'

const BOOT_SECONDS = 900
const ANY = { host: '127.0.0.1', port: 0 }

/**
 * The same build and one kernel module more, on a machine without SEV: a session from two
 * identities to two verdicts, through a host-proxy outside, with reports of the kernel's own interface.
 */
export async function testWithSimulatedProcessor(stand: TestStand, verdicts: Verdicts): Promise<void> {
  const image = await buildImage(stand.workshop, buildTestModule(stand.folder, stand.keys))
  checkVisible(stand.image, image, verdicts)
  const signed = signUki(stand.workshop.tools, image.uki, stand.keys, stand.folder)
  const place = writeMachineDisk(stand, 'with-simulated-processor', signed)
  const measurement = Buffer.from(DEMO_MEASUREMENT, 'hex')
  const processor = await createSimulatedProcessor({ product: 'Milan', now: Date.now(), measurement })
  const rootFile = join(place.folder, 'simulated-root.der')
  writeFileSync(rootFile, processor.rootCertificate)
  const secondSerial = join(place.folder, 'line.sock')
  const line = await openSimulatedLine(secondSerial, processor)
  const proxy = await startProxy(
    { listen: ANY, control: ANY, limits: DEFAULT_LIMITS },
    { log: () => undefined },
  )
  const relayPort = await freePort()
  const metadata = await serveHostMetadata(relayAttribute(relayPort))
  const machine = await startMachine({
    ...place,
    emulator: stand.emulator,
    variables: enrollKeys(stand.blankVariables, stand.keys),
    metadataPort: metadata.port,
    proxyPort: Number(new URL(proxy.controlUrl).port),
    relayPort,
    secondSerial,
  })
  try {
    await confer(
      machine,
      image,
      { folder: join(place.folder, 'session'), url: proxy.url, rootFile },
      verdicts,
    )
    verdicts.check(line.answered() > 0, `${line.answered()} reports came through configfs-tsm`)
  } finally {
    await machine.stop()
    await proxy.stop()
    await metadata.close()
    await line.close()
  }
}

/** No measurement of a release holds for an image with the module in it. */
function checkVisible(release: Image, image: Image, { check }: Verdicts): void {
  check(release.imageDigest !== image.imageDigest, 'the test module shows in the image digest')
  const [a, b] = [predictPcrs(release.uki), predictPcrs(image.uki)]
  check(
    a['4'] !== b['4'] && a['9'] !== b['9'] && a['11'] !== b['11'],
    'the test module shows in PCR 4, 9 and 11',
  )
}

async function confer(
  machine: Machine,
  image: Image,
  place: { readonly folder: string; readonly url: string; readonly rootFile: string },
  { check }: Verdicts,
): Promise<void> {
  const started = await machine.shows(/"event":"relay_started"/, BOOT_SECONDS)
  check(
    started,
    'with the test module the relay starts in the confidential profile',
    machine.console().slice(-4000),
  )
  if (!started) return
  check(
    machine.console().includes('"by":"configfs-tsm"'),
    "it asks for reports through the kernel's configfs",
  )
  check(
    printedPcrs(machine.console()).get('11') === predictPcrs(image.uki)['11'],
    'PCR 11 is what the build predicts',
  )
  mkdirSync(place.folder)
  const { status, asExpected, judged } = await playSession({ ...place, policy: policyFor(image) })
  check(
    status === 'COMPLETED' && asExpected,
    'a session through the host-proxy outside ends with the expected output',
    status,
  )
  for (const { participant, trusted, simulated, level, text } of judged)
    check(
      trusted && simulated && level === 'TEE_ATTESTED' && text.includes('SIMULATED'),
      `the ${participant}'s receipt verifies, as SIMULATED`,
      text,
    )
}

/** What the participants expect: the demo's policy, and the digest of this image. */
function policyFor({ imageDigest }: Image): JsonObject {
  const bundle = loadPolicyBundle(inRepository('infra/policy'), 'confidential')
  const policy = demoPolicy({
    lane: 'confidential',
    version: releaseVersion(),
    policyBundleHash: bundle.hash,
    profileHash: bundle.profile.hash,
    receiptKey: '',
  })
  return {
    ...policy,
    relay: { ...objectAt(policy, 'relay'), image_digest: { equals: imageDigest } },
  }
}
