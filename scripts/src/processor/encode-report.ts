/** Every field of a report that firmware fills in. Byte strings have the size of their field. */
export type ReportFields = {
  readonly version: number
  readonly guestSvn: number
  readonly policy: bigint
  readonly familyId: Uint8Array
  readonly imageId: Uint8Array
  readonly vmpl: number
  readonly signatureAlgo: number
  readonly currentTcb: Uint8Array
  readonly platformInfo: bigint
  readonly signerInfo: number
  readonly reportData: Uint8Array
  readonly measurement: Uint8Array
  readonly hostData: Uint8Array
  readonly idKeyDigest: Uint8Array
  readonly authorKeyDigest: Uint8Array
  readonly reportId: Uint8Array
  readonly reportIdMa: Uint8Array
  readonly reportedTcb: Uint8Array
  /** Family, model, stepping. */
  readonly cpuid: readonly [number, number, number]
  readonly chipId: Uint8Array
  readonly committedTcb: Uint8Array
  /** Build, minor, major. */
  readonly currentVersion: readonly [number, number, number]
  readonly committedVersion: readonly [number, number, number]
  readonly launchTcb: Uint8Array
  readonly launchMitVector: bigint
  readonly currentMitVector: bigint
}

const BODY_BYTES = 672

type Writer = {
  readonly u32: (at: number, value: number) => void
  readonly u64: (at: number, value: bigint) => void
  readonly bytes: (at: number, value: ArrayLike<number>) => void
}

const writer = (body: Uint8Array): Writer => {
  const view = new DataView(body.buffer)
  return {
    u32: (at, value) => {
      view.setUint32(at, value, true)
    },
    u64: (at, value) => {
      view.setBigUint64(at, value, true)
    },
    bytes: (at, value) => {
      body.set(value, at)
    },
  }
}

const writeIdentity = (write: Writer, fields: ReportFields): void => {
  write.u32(0x000, fields.version)
  write.u32(0x004, fields.guestSvn)
  write.u64(0x008, fields.policy)
  write.bytes(0x010, fields.familyId)
  write.bytes(0x020, fields.imageId)
  write.u32(0x030, fields.vmpl)
  write.u32(0x034, fields.signatureAlgo)
  write.bytes(0x038, fields.currentTcb)
  write.u64(0x040, fields.platformInfo)
  write.u32(0x048, fields.signerInfo)
}

const writeLaunch = (write: Writer, fields: ReportFields): void => {
  write.bytes(0x050, fields.reportData)
  write.bytes(0x090, fields.measurement)
  write.bytes(0x0c0, fields.hostData)
  write.bytes(0x0e0, fields.idKeyDigest)
  write.bytes(0x110, fields.authorKeyDigest)
  write.bytes(0x140, fields.reportId)
  write.bytes(0x160, fields.reportIdMa)
}

const writePlatform = (write: Writer, fields: ReportFields): void => {
  write.bytes(0x180, fields.reportedTcb)
  if (fields.version >= 3) write.bytes(0x188, fields.cpuid)
  write.bytes(0x1a0, fields.chipId)
  write.bytes(0x1e0, fields.committedTcb)
  write.bytes(0x1e8, fields.currentVersion)
  write.bytes(0x1ec, fields.committedVersion)
  write.bytes(0x1f0, fields.launchTcb)
  if (fields.version < 5) return
  write.u64(0x1f8, fields.launchMitVector)
  write.u64(0x200, fields.currentMitVector)
}

/** The 672 bytes of a report that firmware signs (AMD 56860, ATTESTATION_REPORT), written from AMD's table anew. */
export const encodeReport = (fields: ReportFields): Uint8Array => {
  const body = new Uint8Array(BODY_BYTES)
  const write = writer(body)
  writeIdentity(write, fields)
  writeLaunch(write, fields)
  writePlatform(write, fields)
  return body
}
