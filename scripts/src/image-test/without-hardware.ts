import { predictPcrs } from '../image/predict-pcrs.js'
import { signUki } from '../image/sign-uki.js'
import { enrollKeys } from './enroll-keys.js'
import { freePort } from './free-port.js'
import { serveHostMetadata } from './host-metadata.js'
import { startMachine } from './machine.js'
import { printedPcrs } from './printed-pcrs.js'
import { relayAttribute } from './relay-attribute.js'
import { type TestStand, writeMachineDisk } from './test-stand.js'
import type { Verdicts } from './verdicts.js'
import { watchPort } from './watch-port.js'

const BOOT_SECONDS = 900

/**
 * The release image, signed, on a machine without SEV: what it measures is what was predicted, and it ends without
 * having served anything.
 */
export async function testWithoutHardware(stand: TestStand, { check }: Verdicts): Promise<void> {
  const { image, keys, workshop } = stand
  const signed = signUki(workshop.tools, image.uki, keys, stand.folder)
  const place = writeMachineDisk(stand, 'without-hardware', signed)
  const relayPort = await freePort()
  const metadata = await serveHostMetadata(relayAttribute(relayPort))
  const machine = await startMachine({
    ...place,
    emulator: stand.emulator,
    variables: enrollKeys(stand.blankVariables, keys),
    metadataPort: metadata.port,
    // Nobody listens: the relay must end before it asks.
    proxyPort: await freePort(),
    relayPort,
  })
  const watch = watchPort(relayPort)
  try {
    const refused = await machine.shows(/^parley-relay: provider_missing: /m, BOOT_SECONDS)
    check(
      refused,
      'the image starts under Secure Boot, and without SEV the relay refuses: provider_missing',
      tail(machine.console()),
    )
    const over = await machine.shows(/Kernel panic - not syncing: Attempted to kill init/, 300)
    check(over, 'the machine ends with its relay', tail(machine.console()))
    const { asked, answered } = await watch.stop()
    check(asked > 0 && answered === 0, `it served nothing: ${asked} requests, ${answered} answers`)
    check(!machine.console().includes('relay_started'), 'no relay was started')
    check(metadata.asked() === 1, 'it asked the host once, for where to listen')
    const printed = printedPcrs(machine.console())
    for (const [index, value] of Object.entries(predictPcrs(signed)))
      check(
        printed.get(index) === value,
        `PCR ${index} is what the build predicts`,
        `${printed.get(index) ?? 'none'}, not ${value}`,
      )
  } finally {
    await machine.stop()
    await watch.stop()
    await metadata.close()
  }
}

const tail = (text: string): string => text.slice(-4000)
