import { createHash } from 'node:crypto'
import { authenticodeDigest } from './authenticode-digest.js'
import { readPe, sectionBytes } from './pe-image.js'

/** PCRs that the image alone determines, in lower-case hex; firmware, keys and the machine determine the others. */
export type PredictedPcrs = Readonly<Record<'4' | '9' | '11' | '12', string>>

/** The order in which systemd's stub measures what an image has of these (systemd 257, unified_sections). */
const MEASURED = [
  '.linux',
  '.osrel',
  '.cmdline',
  '.initrd',
  '.ucode',
  '.splash',
  '.dtb',
  '.uname',
  '.sbat',
  '.pcrpkey',
]

/**
 * What a TPM's SHA-256 bank says after firmware with Secure Boot started the image and nothing before it.
 * Without Secure Boot the stub has the firmware load the kernel, and PCR 4 has one more event.
 */
export function predictPcrs(image: Buffer): PredictedPcrs {
  const section = sectionsOf(image)
  const measured = MEASURED.flatMap((name) => {
    const bytes = section(name)
    return bytes === null ? [] : [sha256(Buffer.from(`${name}\0`)), sha256(bytes)]
  })
  return {
    '4': extended([CALLING_BOOT_OPTION, SEPARATOR, authenticodeDigest(image)]),
    '9': extended(kernelEvents(section)),
    '11': extended(measured),
    '12': extended([]),
  }
}

const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest()

/** Events of TCG PC Client Platform Firmware Profile that are the same on every machine. */
const CALLING_BOOT_OPTION = sha256(Buffer.from('Calling EFI Application from Boot Option'))
const SEPARATOR = sha256(Buffer.alloc(4))

type SectionReader = (name: string) => Buffer | null

function sectionsOf(image: Buffer): SectionReader {
  const { sections } = readPe(image)
  return (wanted) => {
    const found = sections.find(({ name }) => name === wanted)
    return found === undefined ? null : sectionBytes(image, found)
  }
}

/** The kernel's own entry measures its command line, as UTF-16 with its end, and its initial file system. */
function kernelEvents(section: SectionReader): readonly Buffer[] {
  const cmdline = section('.cmdline')
  const initrd = section('.initrd')
  if (cmdline === null || initrd === null) throw new Error('the image has no command line or initrd')
  const options = Buffer.from(`${cmdline.toString('utf8')}\0`, 'utf16le')
  return [sha256(options), sha256(initrd)]
}

const extended = (events: readonly Buffer[]): string =>
  events.reduce((pcr, event) => sha256(Buffer.concat([pcr, event])), Buffer.alloc(32)).toString('hex')
