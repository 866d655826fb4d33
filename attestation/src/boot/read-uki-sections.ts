import { crypto } from '#crypto'
import { toHex } from '../hex.js'
import type { BootEvent } from './parse-event-log.js'
import { refusedEvent } from './refuse-event.js'

// What a stub of systemd measures, name and content, in this order (systemd, src/fundamental/uki.c; UAPI.5).
const SECTIONS = [
  '.profile',
  '.linux',
  '.osrel',
  '.cmdline',
  '.initrd',
  '.ucode',
  '.splash',
  '.dtb',
  '.dtbauto',
  '.hwids',
  '.uname',
  '.sbat',
  '.pcrpkey',
  '.efifw',
]

const nameDigests = async (): Promise<ReadonlyMap<string, string>> => {
  const names = new Map<string, string>()
  for (const name of SECTIONS)
    names.set(toHex(await crypto.sha256(new TextEncoder().encode(`${name}\0`))), name)
  return names
}

/**
 * Digests of the sections of a unified kernel image: PCR 11 holds pairs of a section's name and its content, and
 * nothing else. No section occurs twice.
 * @throws AttestationError boot_event_refused
 */
export const readUkiSections = async (
  events: readonly BootEvent[],
): Promise<ReadonlyMap<string, Uint8Array>> => {
  const names = await nameDigests()
  const sections = new Map<string, Uint8Array>()
  for (let at = 0; at < events.length; at += 2) {
    const [event, content] = events.slice(at, at + 2)
    const name = event === undefined ? undefined : names.get(toHex(event.digest))
    if (name === undefined || content === undefined || sections.has(name))
      throw refusedEvent({ pcr: 11 }, 'not the sections of one image, each with its name')
    sections.set(name, content.digest)
  }
  return sections
}
