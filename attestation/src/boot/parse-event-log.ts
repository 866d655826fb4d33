import { type DigestSizes, readLogHeader, SHA256 } from './event-log-header.js'
import { EVENT } from './event-types.js'
import { FieldReader, LOG_FORM } from './field-reader.js'
import { startsWith } from './starts-with.js'

/** One measurement as the log tells it. Only its digest is in a register. */
export type BootEvent = {
  readonly pcr: number
  readonly type: number
  /** SHA-256 that the register was extended with. */
  readonly digest: Uint8Array
  readonly data: Uint8Array
}

/** A log of what firmware and boot loaders measured, in order. Parsed, and not held against a quote. */
export type EventLog = {
  readonly events: readonly BootEvent[]
  /** The locality that the TPM was started from, with which PCR 0 begins. */
  readonly startupLocality: number
}

/** The longest log that is taken. */
export const MAX_LOG_BYTES = 65_536

const MAX_EVENTS = 1024
const PCRS = 24
const STARTUP = 'StartupLocality\0'
const MAX_LOCALITY = 4

const readDigest = (log: FieldReader, sizes: DigestSizes): Uint8Array => {
  if (log.uint32() !== sizes.size) throw log.malformed('an event has not one digest for each algorithm')
  const digests = new Map<number, Uint8Array>()
  while (digests.size < sizes.size) {
    const algorithm = log.uint16()
    const size = sizes.get(algorithm)
    if (size === undefined || digests.has(algorithm)) throw log.malformed('a digest of another algorithm')
    digests.set(algorithm, log.bytes(size))
  }
  const digest = digests.get(SHA256)
  if (digest === undefined) throw log.malformed('an event without a SHA-256')
  return digest
}

/** TCG_PCR_EVENT2 */
const readEvent = (log: FieldReader, sizes: DigestSizes): BootEvent => {
  const pcr = log.uint32()
  const type = log.uint32()
  if (pcr >= PCRS) throw log.malformed('an event of no register')
  const digest = readDigest(log, sizes)
  return { pcr, type, digest, data: log.bytes(log.uint32()) }
}

// It is not extended: it says with what PCR 0 begins (§10.4.5.3).
const localityOf = (log: FieldReader, events: readonly BootEvent[]): number => {
  const said = events.filter(({ type, data }) => type === EVENT.noAction && startsWith(data, STARTUP))
  const locality = said[0]?.data.at(-1) ?? 0
  const wellFormed = said.every(({ pcr, data }) => pcr === 0 && data.length === STARTUP.length + 1)
  if (said.length > 1 || !wellFormed || locality > MAX_LOCALITY) throw log.malformed('no startup locality')
  return locality
}

/**
 * A crypto-agile event log that holds SHA-256, at most 64 KiB, as Linux gives it in `binary_bios_measurements`.
 * @throws AttestationError event_log_malformed
 * @see TCG PC Client Platform Firmware Profile, §10.2
 */
export const parseEventLog = (bytes: Uint8Array): EventLog => {
  const log = new FieldReader(bytes, LOG_FORM)
  if (bytes.length > MAX_LOG_BYTES) throw log.malformed(`a log of over ${MAX_LOG_BYTES} bytes`)
  const sizes = readLogHeader(log)
  const events: BootEvent[] = []
  while (!log.done) {
    if (events.length === MAX_EVENTS) throw log.malformed(`over ${MAX_EVENTS} events`)
    events.push(readEvent(log, sizes))
  }
  const startupLocality = localityOf(log, events)
  return { events: events.filter(({ type }) => type !== EVENT.noAction), startupLocality }
}
