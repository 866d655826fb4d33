/** PAGE_TYPE: how the secure processor treats a page at launch (AMD 56860, PAGE_INFO). */
export const PAGE_TYPE = {
  NORMAL: 1,
  VMSA: 2,
  ZERO: 3,
  UNMEASURED: 4,
  SECRETS: 5,
  CPUID: 6,
} as const

export type PageType = keyof typeof PAGE_TYPE

/** A page in bytes. */
export const PAGE_BYTES = 4096

/** A launch digest in bytes. */
export const DIGEST_BYTES = 48

const LENGTH = 0x70

/** PAGE_INFO: where each field stands. What is not listed is zero: IS_IMI, the VMPL permissions, reserved. */
const LAYOUT = { DIGEST_CUR: 0x00, CONTENTS: 0x30, LENGTH: 0x60, PAGE_TYPE: 0x62, GPA: 0x68 } as const

export type PageInfo = {
  readonly type: PageType
  /** Guest physical address, a multiple of 4096. */
  readonly gpa: number
  /** SHA-384 of the page, or null where its contents are not measured. */
  readonly contents: Uint8Array | null
}

/** PAGE_INFO: what the launch digest becomes the SHA-384 of, page after page. */
export const encodePageInfo = (digest: Uint8Array, { type, gpa, contents }: PageInfo): Uint8Array => {
  const bytes = new Uint8Array(LENGTH)
  const view = new DataView(bytes.buffer)
  bytes.set(digest, LAYOUT.DIGEST_CUR)
  if (contents !== null) bytes.set(contents, LAYOUT.CONTENTS)
  view.setUint16(LAYOUT.LENGTH, LENGTH, true)
  view.setUint8(LAYOUT.PAGE_TYPE, PAGE_TYPE[type])
  view.setBigUint64(LAYOUT.GPA, BigInt(gpa), true)
  return bytes
}
