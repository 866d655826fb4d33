import { readBootApplications } from './read-boot-applications.js'
import { readCommandLines } from './read-command-lines.js'
import { readSecureBoot } from './read-secure-boot.js'
import { readUkiSections } from './read-uki-sections.js'
import { PCR } from './event-types.js'
import type { BootEvent } from './parse-event-log.js'

/** What a replayed log shows of a boot; digests are SHA-256. */
export type BootFacts = {
  /** The state in which firmware started what it booted. */
  readonly secureBoot: boolean
  /** Authenticode digests of the programs that firmware started, in order. The first is the unified kernel image. */
  readonly applications: readonly Uint8Array[]
  /** Digests of the image's sections, by name, as its stub measured them. */
  readonly sections: ReadonlyMap<string, Uint8Array>
  /** Digests of every command line that the kernel may have got: the image's own, and what stood in for it. */
  readonly commandLines: readonly Uint8Array[]
}

/** The registers that hold what these facts rest on. A quote without one of them proves none of it. */
export const REGISTERS_OF_FACTS: readonly number[] = Object.values(PCR)

/**
 * What was booted. Types and data of events are not measured, and an intruder can extend every one of these registers
 * later on. So each measurement in them must be accounted for by what its digest is of: what an intruder was booted
 * with would be among them, and can't be passed off as something else.
 * @throws AttestationError boot_event_refused
 */
export const readBootFacts = async (events: readonly BootEvent[]): Promise<BootFacts> => {
  const of = (pcr: number): BootEvent[] => events.filter((event) => event.pcr === pcr)
  const sections = await readUkiSections(of(PCR.ukiSections))
  return {
    secureBoot: await readSecureBoot(of(PCR.secureBoot)),
    applications: await readBootApplications(of(PCR.bootApplications)),
    sections,
    commandLines: readCommandLines(sections, of(PCR.commandLine), of(PCR.extensions)),
  }
}
