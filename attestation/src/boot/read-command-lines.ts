import type { BootEvent } from './parse-event-log.js'
import { refusedEvent } from './refuse-event.js'

/**
 * Digests of the command lines that the kernel may have got. The image's own is the section `.cmdline`; where the stub
 * takes another, or adds to it, it measures that into PCR 12, with whatever credentials it found beside the image. Each
 * of these digests has to be expected. System extensions (PCR 13) are programs of somebody else: there may be none.
 * @throws AttestationError boot_event_refused
 */
export const readCommandLines = (
  sections: ReadonlyMap<string, Uint8Array>,
  measured: readonly BootEvent[],
  extensions: readonly BootEvent[],
): readonly Uint8Array[] => {
  const [extension] = extensions
  if (extension !== undefined) throw refusedEvent(extension, 'a system extension')
  const own = sections.get('.cmdline')
  return [...(own === undefined ? [] : [own]), ...measured.map(({ digest }) => digest)]
}
