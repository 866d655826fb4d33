import { bytesField, messageField, uintField } from './encode-protobuf.js'
import type { GoogleAuthority } from './google-authority.js'

/** What an endorsement is to say. */
export type EndorsedFirmware = {
  readonly timestampMs: number
  readonly clSpec: bigint
  readonly commit: Uint8Array
  readonly caBundle: Uint8Array
  /** 48 bytes. */
  readonly uefiDigest: Uint8Array
  readonly svn: number
  /** 48 bytes each, by the number of VMSAs. */
  readonly measurements: ReadonlyMap<number, Uint8Array>
  /** 48 bytes, or none. */
  readonly svsmMeasurement: Uint8Array
  /** 16 bytes. */
  readonly familyId: Uint8Array
  /** 16 bytes. */
  readonly imageId: Uint8Array
  readonly policy: bigint
}

/** VMGoldenMeasurement, serialized, with the certificate of who signs it. */
export const encodeGoldenMeasurement = (firmware: EndorsedFirmware, certificate: Uint8Array): Uint8Array => {
  const measurements = Array.from(firmware.measurements, ([vmsas, digest]) =>
    messageField(2, uintField(1, BigInt(vmsas)), bytesField(2, digest)),
  )
  const sevSnp = messageField(
    7,
    uintField(1, BigInt(firmware.svn)),
    ...measurements,
    bytesField(3, firmware.familyId),
    bytesField(4, firmware.imageId),
    uintField(5, firmware.policy),
    bytesField(7, firmware.svsmMeasurement),
  )
  return Buffer.concat([
    messageField(1, uintField(1, BigInt(Math.floor(firmware.timestampMs / 1000)))),
    uintField(2, firmware.clSpec),
    bytesField(3, firmware.commit),
    bytesField(4, certificate),
    bytesField(5, firmware.uefiDigest),
    bytesField(6, firmware.caBundle),
    sevSnp,
  ])
}

/** VMLaunchEndorsement, serialized, over whatever was signed. */
export const encodeLaunchEndorsement = (signed: Uint8Array, signature: Uint8Array): Uint8Array =>
  Buffer.concat([bytesField(1, signed), bytesField(2, signature)])

/** An endorsement of a firmware, signed. */
export const mintLaunchEndorsement = (signer: GoogleAuthority, firmware: EndorsedFirmware): Uint8Array => {
  const signed = encodeGoldenMeasurement(firmware, signer.certificate)
  return encodeLaunchEndorsement(signed, signer.sign(signed))
}
