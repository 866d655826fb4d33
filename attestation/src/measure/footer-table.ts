import { AttestationError } from '../errors.js'
import { GUID_BYTES, guidText } from './guid.js'

/** What a firmware image says about itself: the data of each entry, by the GUID of its kind. */
export type FooterTable = ReadonlyMap<string, Uint8Array>

const FOOTER_GUID = '96b582de-1fb2-45f7-baea-a366c55a082d'

// The reset vector stands in the last 32 bytes; the table ends where it begins and is read backwards.
const RESET_VECTOR_BYTES = 32
const TAIL_BYTES = 2 + GUID_BYTES

/** An entry as it ends at `end`: data ‖ u16 size of the whole entry ‖ GUID. */
const readEntry = (image: Uint8Array, start: number, end: number): { guid: string; data: Uint8Array } => {
  if (end - start < TAIL_BYTES) throw malformed(`${end - start} bytes are left over before the first entry`)
  const size = (image[end - TAIL_BYTES] ?? 0) | ((image[end - TAIL_BYTES + 1] ?? 0) << 8)
  if (size < TAIL_BYTES || size > end - start) throw malformed(`an entry claims ${size} bytes`)
  const guid = guidText(image.subarray(end - GUID_BYTES, end))
  return { guid, data: image.subarray(end - size, end - TAIL_BYTES) }
}

const malformed = (what: string): AttestationError =>
  new AttestationError('firmware_malformed', `footer table: ${what}`)

/**
 * Reads the table of GUIDs at the end of a firmware image. Unknown entries are kept; one GUID twice is refused,
 * since whoever loads the image and whoever measures it might take different ones.
 * @throws AttestationError firmware_malformed
 * @see edk2, OvmfPkg/ResetVector/Ia16/ResetVectorVtf0.asm
 */
export const readFooterTable = (image: Uint8Array): FooterTable => {
  const tableEnd = image.length - RESET_VECTOR_BYTES
  const footer = readEntry(image, 0, tableEnd)
  if (footer.guid !== FOOTER_GUID) throw malformed('no footer GUID before the reset vector')
  const start = tableEnd - TAIL_BYTES - footer.data.length
  const table = new Map<string, Uint8Array>()
  for (let end = tableEnd - TAIL_BYTES; end > start; ) {
    const { guid, data } = readEntry(image, start, end)
    if (table.has(guid)) throw malformed(`${guid} occurs twice`)
    table.set(guid, data)
    end -= TAIL_BYTES + data.length
  }
  return table
}
