import { type GoldenMeasurement, parseGoldenMeasurement } from './golden-measurement.js'
import { malformed, ProtobufMessage } from './protobuf-message.js'

/** VMLaunchEndorsement: what Google publishes about one firmware. Parsed, and not verified. */
export type LaunchEndorsement = {
  /** What the signature covers. */
  readonly signed: Uint8Array
  readonly signature: Uint8Array
  readonly golden: GoldenMeasurement
  /** Fields that this reader does not know, by message and number. */
  readonly unknownFields: readonly string[]
}

const SERIALIZED_UEFI_GOLDEN = 1
const SIGNATURE = 2

// About ten times what has been seen; TDX measurements of every machine size are in there too.
const MAX_ENDORSEMENT_BYTES = 2 ** 20

/**
 * Reads an endorsement as it comes in the certificate table (GUID 9f4116cd-c503-4f5a-8f6f-fb68882f4ce2) or from
 * Google's bucket. Fields that are not known are listed and skipped; whatever is known is read strictly.
 * @param input up to 1 MiB; copied
 * @throws AttestationError endorsement_malformed
 * @see gce-tcb-verifier, proto/endorsement.proto
 */
export const parseLaunchEndorsement = (input: Uint8Array): LaunchEndorsement => {
  if (input.length > MAX_ENDORSEMENT_BYTES)
    throw malformed(`${input.length} bytes are over ${MAX_ENDORSEMENT_BYTES}`)
  const message = new ProtobufMessage('VMLaunchEndorsement', new Uint8Array(input), [
    SERIALIZED_UEFI_GOLDEN,
    SIGNATURE,
  ])
  const signed = message.bytes(SERIALIZED_UEFI_GOLDEN)
  const signature = message.bytes(SIGNATURE)
  if (signed === null || signature === null) throw malformed('no serialized_uefi_golden or no signature')
  const golden = parseGoldenMeasurement(signed)
  const unknown = message.unknown.map((number) => `VMLaunchEndorsement.${number}`)
  return { signed, signature, golden, unknownFields: [...unknown, ...golden.unknownFields] }
}
