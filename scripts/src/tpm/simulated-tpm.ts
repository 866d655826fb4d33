import { createHash, sign } from 'node:crypto'
import { attestationKeyDigest, type BootAttester } from '@parley/attestation'
import { digestOf, encodeEventLog, type LoggedEvent } from './encode-event-log.js'
import { eccPublic, encodeEcdsa, encodeQuote, type QuoteFields } from './encode-tpm.js'
import {
  certifyAttestationKey,
  type Dates,
  makeTpmAuthorityKey,
  mintTpmRoot,
  type TpmAuthority,
} from './tpm-authority.js'

/** A TPM of a machine that booted so. */
export type SimulatedTpmOptions = {
  readonly events: readonly LoggedEvent[]
  readonly dates: Dates
  /** Who certifies its key; by default a root of its own. */
  readonly root?: TpmAuthority
  /** Attributes of its key, by default those of an attestation key. */
  readonly attributes?: number
}

/** A TPM whose anchor is fake: its key is of this process, and its root is trusted by nobody. */
export type SimulatedTpm = {
  readonly attester: BootAttester
  /** DER */
  readonly rootCertificate: Uint8Array
  /** Signs whatever it is given: for quotes that no TPM would make. */
  readonly sign: (quote: Uint8Array) => Uint8Array
  /** What it would quote, to be changed and signed. */
  readonly fields: (qualifyingData: Uint8Array) => QuoteFields
}

const QUOTED = [0, 1, 2, 3, 4, 5, 6, 7, 9, 11, 12, 13]
const COORDINATES = -64

const registersAfter = (events: readonly LoggedEvent[]): readonly Uint8Array[] => {
  const registers = Array.from({ length: 24 }, () => new Uint8Array(32))
  for (const event of events) {
    const before = registers[event.pcr] ?? new Uint8Array(32)
    registers[event.pcr] = createHash('sha256').update(before).update(digestOf(event)).digest()
  }
  return registers
}

const digestOver = (registers: readonly Uint8Array[]): Uint8Array => {
  const digest = createHash('sha256')
  for (const pcr of QUOTED) digest.update(registers[pcr] ?? new Uint8Array(32))
  return digest.digest()
}

/** Makes a TPM after a boot. What it attests is a simulation, and every verifier that accepts it says so. */
export const createSimulatedTpm = async (options: SimulatedTpmOptions): Promise<SimulatedTpm> => {
  const { events, dates, attributes } = options
  const root = options.root ?? mintTpmRoot('ec', dates)
  const { key, spki } = makeTpmAuthorityKey('ec')
  const point = spki.subarray(COORDINATES)
  const akPublic = Uint8Array.from(eccPublic(point.subarray(0, 32), point.subarray(32), attributes))
  const pcrDigest = digestOver(registersAfter(events))
  const fields = (qualifyingData: Uint8Array): QuoteFields => ({ qualifyingData, pcrs: QUOTED, pcrDigest })
  const signQuote = (quote: Uint8Array): Uint8Array =>
    Uint8Array.from(encodeEcdsa(sign('sha256', quote, { key, dsaEncoding: 'ieee-p1363' })))
  return {
    rootCertificate: root.certificate,
    sign: signQuote,
    fields,
    attester: {
      keyDigest: await attestationKeyDigest(akPublic),
      record: {
        akPublic,
        akCertificates: [Uint8Array.from(certifyAttestationKey(root, spki, dates))],
        eventLog: Uint8Array.from(encodeEventLog(events)),
      },
      quote: (qualifyingData) => {
        const quote = Uint8Array.from(encodeQuote(fields(qualifyingData)))
        return Promise.resolve({ quote, signature: signQuote(quote) })
      },
      close: () => Promise.resolve(),
    },
  }
}
