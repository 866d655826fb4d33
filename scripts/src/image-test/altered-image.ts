import { readPe } from '../image/pe-image.js'
import { signUki } from '../image/sign-uki.js'
import { enrollKeys } from './enroll-keys.js'
import { freePort } from './free-port.js'
import { startMachine } from './machine.js'
import { type TestStand, writeMachineDisk } from './test-stand.js'
import type { Verdicts } from './verdicts.js'

const REFUSAL_SECONDS = 600
const REFUSED = /failed to (?:load|start) Boot.*(?:Access Denied|Security Violation)/

/** The signed image with one bit changed: firmware that knows the signer does not start it. */
export async function testAlteredImage(stand: TestStand, { check }: Verdicts): Promise<void> {
  const signed = signUki(stand.workshop.tools, stand.image.uki, stand.keys, stand.folder)
  const place = writeMachineDisk(stand, 'altered', withOneBitChanged(signed))
  const machine = await startMachine({
    ...place,
    emulator: stand.emulator,
    variables: enrollKeys(stand.blankVariables, stand.keys),
    metadataPort: await freePort(),
    proxyPort: await freePort(),
    relayPort: await freePort(),
  })
  try {
    const refused = await machine.shows(REFUSED, REFUSAL_SECONDS)
    check(
      refused,
      'under Secure Boot firmware refuses the image with one bit changed',
      machine.console().slice(-2000),
    )
    check(!/^init: /m.test(machine.console()), 'nothing of that image ran')
  } finally {
    await machine.stop()
  }
}

/** In the middle of the initial file system. */
function withOneBitChanged(image: Buffer): Buffer {
  const section = readPe(image).sections.find(({ name }) => name === '.initrd')
  if (section === undefined) throw new Error('the image has no initrd')
  const altered = Buffer.from(image)
  const at = section.rawOffset + Math.floor(section.virtualSize / 2)
  altered.writeUInt8(altered.readUInt8(at) ^ 1, at)
  return altered
}
