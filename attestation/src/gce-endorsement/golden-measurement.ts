import { malformed, ProtobufMessage } from './protobuf-message.js'

/** VMSevSnp: what Google says about one firmware as a guest of SEV-SNP. */
export type SevSnpEndorsement = {
  /** The security version of the firmware. */
  readonly svn: number
  /** MEASUREMENT (48 bytes) by how many VMSAs are launched, which is how many processors the VM has. */
  readonly measurements: ReadonlyMap<number, Uint8Array>
  /** MEASUREMENT (48 bytes) of a VM that runs under Google's SVSM, which launches with one VMSA; null where none. */
  readonly svsmMeasurement: Uint8Array | null
  /** 16 bytes. Not what a report shows as FAMILY_ID. */
  readonly familyId: Uint8Array
  /** 16 bytes. Not what a report shows as IMAGE_ID. */
  readonly imageId: Uint8Array
  /** POLICY, as a maximum: a guest may be allowed less. */
  readonly policy: bigint
}

/** VMGoldenMeasurement: what Google signs about one firmware. Parsed, and not verified. */
export type GoldenMeasurement = {
  readonly timestampMs: number
  /** Google's change number, or 0. */
  readonly clSpec: bigint
  /** The commit that the firmware was built from; may be empty. */
  readonly commit: Uint8Array
  /** DER of the certificate of the key that signed. */
  readonly certificate: Uint8Array
  /** SHA-384 of the firmware image. */
  readonly uefiDigest: Uint8Array
  /** PEM certificates from the root down, without the signer's; may be empty. */
  readonly caBundle: Uint8Array
  readonly sevSnp: SevSnpEndorsement
  /** Fields that this reader does not know, by message and number. */
  readonly unknownFields: readonly string[]
}

/** Field numbers (gce-tcb-verifier, proto/endorsement.proto; google/protobuf/timestamp.proto). */
const GOLDEN = {
  timestamp: 1,
  cl_spec: 2,
  commit: 3,
  cert: 4,
  digest: 5,
  ca_bundle: 6,
  sev_snp: 7,
  tdx: 8,
} as const
const SEV_SNP = {
  svn: 1,
  measurements: 2,
  family_id: 3,
  image_id: 4,
  policy: 5,
  ca_bundle: 6,
  svsm_measurement: 7,
} as const
const ENTRY = { key: 1, value: 2 } as const
const TIMESTAMP = { seconds: 1, nanos: 2 } as const

const DIGEST_BYTES = 48
const ID_BYTES = 16

// The last second of the year 9999, where Timestamp ends.
const MAX_SECONDS = 253402300799n
const NANOS_IN_SECOND = 1_000_000_000

const sized = (name: string, bytes: Uint8Array | null, size: number): Uint8Array => {
  if (bytes?.length !== size) throw malformed(`${name} has ${bytes?.length ?? 0} bytes, not ${size}`)
  return bytes
}

const open = (name: string, bytes: Uint8Array, fields: Readonly<Record<string, number>>): ProtobufMessage =>
  new ProtobufMessage(name, bytes, Object.values(fields))

const unknownOf = (name: string, message: ProtobufMessage): string[] =>
  message.unknown.map((number) => `${name}.${number}`)

const readTimestamp = (bytes: Uint8Array | null): number => {
  if (bytes === null) throw malformed('no timestamp')
  const message = open('Timestamp', bytes, TIMESTAMP)
  const seconds = message.uint64(TIMESTAMP.seconds)
  const nanos = message.uint32(TIMESTAMP.nanos)
  if (seconds > MAX_SECONDS || nanos >= NANOS_IN_SECOND || message.unknown.length > 0)
    throw malformed('no point in time')
  return Number(seconds) * 1000 + Math.floor(nanos / 1_000_000)
}

const readMeasurements = (entries: readonly Uint8Array[]): ReadonlyMap<number, Uint8Array> => {
  const measurements = new Map<number, Uint8Array>()
  for (const bytes of entries) {
    const entry = open('MeasurementsEntry', bytes, ENTRY)
    const vmsas = entry.uint32(ENTRY.key)
    if (vmsas === 0 || measurements.has(vmsas) || entry.unknown.length > 0) {
      throw malformed('the measurements are not one for each number of VMSAs')
    }
    measurements.set(vmsas, sized('a measurement', entry.bytes(ENTRY.value), DIGEST_BYTES))
  }
  return measurements
}

const readSevSnp = (message: ProtobufMessage): SevSnpEndorsement => {
  const svsm = message.bytes(SEV_SNP.svsm_measurement)
  return {
    svn: message.uint32(SEV_SNP.svn),
    measurements: readMeasurements(message.repeated(SEV_SNP.measurements)),
    svsmMeasurement: svsm === null ? null : sized('svsm_measurement', svsm, DIGEST_BYTES),
    familyId: sized('family_id', message.bytes(SEV_SNP.family_id), ID_BYTES),
    imageId: sized('image_id', message.bytes(SEV_SNP.image_id), ID_BYTES),
    policy: message.uint64(SEV_SNP.policy),
  }
}

const required = (name: string, bytes: Uint8Array | null): Uint8Array => {
  if (bytes === null || bytes.length === 0) throw malformed(`no ${name}`)
  return bytes
}

/**
 * Reads what was signed.
 * @throws AttestationError endorsement_malformed
 */
export const parseGoldenMeasurement = (bytes: Uint8Array): GoldenMeasurement => {
  const golden = open('VMGoldenMeasurement', bytes, GOLDEN)
  const sevSnp = open('VMSevSnp', required('sev_snp', golden.bytes(GOLDEN.sev_snp)), SEV_SNP)
  return {
    timestampMs: readTimestamp(golden.bytes(GOLDEN.timestamp)),
    clSpec: golden.uint64(GOLDEN.cl_spec),
    commit: golden.bytes(GOLDEN.commit) ?? new Uint8Array(),
    certificate: required('cert', golden.bytes(GOLDEN.cert)),
    uefiDigest: sized('digest', golden.bytes(GOLDEN.digest), DIGEST_BYTES),
    caBundle: golden.bytes(GOLDEN.ca_bundle) ?? new Uint8Array(),
    sevSnp: readSevSnp(sevSnp),
    unknownFields: [...unknownOf('VMGoldenMeasurement', golden), ...unknownOf('VMSevSnp', sevSnp)],
  }
}
