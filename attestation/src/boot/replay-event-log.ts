import { crypto } from '#crypto'
import type { EventLog } from './parse-event-log.js'

const REGISTERS = 24
const REGISTER_BYTES = 32
// Registers of a dynamic launch begin with ones (TCG PC Client Platform TPM Profile, §4.6).
const FIRST_DYNAMIC = 17
const LAST_DYNAMIC = 22

const initial = (pcr: number, startupLocality: number): Uint8Array => {
  const register = new Uint8Array(REGISTER_BYTES)
  if (pcr >= FIRST_DYNAMIC && pcr <= LAST_DYNAMIC) register.fill(0xff)
  if (pcr === 0) register[REGISTER_BYTES - 1] = startupLocality
  return register
}

/** The values of all registers, by number, after a log: each is SHA-256(value ‖ digest) of the one before. */
export const replayEventLog = async ({
  events,
  startupLocality,
}: EventLog): Promise<readonly Uint8Array[]> => {
  const registers = Array.from({ length: REGISTERS }, (_, pcr) => initial(pcr, startupLocality))
  for (const { pcr, digest } of events)
    registers[pcr] = await crypto.sha256(Uint8Array.of(...(registers[pcr] ?? []), ...digest))
  return registers
}
