import type { Region } from './launch-regions.js'
import { DIGEST_BYTES, encodePageInfo, PAGE_BYTES, type PageInfo } from './page-info.js'
import { sha384 } from './sha384.js'

// KVM gives a VMSA the address -1; the secure processor cuts it to 48 bits and to a page.
const VMSA_GPA = 0xfffffffff000

/** The digest before anything was launched. */
export const emptyLaunchDigest = (): Uint8Array => new Uint8Array(DIGEST_BYTES)

const extend = async (digest: Uint8Array, page: PageInfo): Promise<Uint8Array> =>
  sha384(encodePageInfo(digest, page))

const contentsOf = async ({ contents, pages }: Region): Promise<readonly (Uint8Array | null)[]> =>
  Promise.all(
    Array.from({ length: pages }, async (_, at) =>
      contents === null ? null : sha384(contents.subarray(at * PAGE_BYTES, (at + 1) * PAGE_BYTES)),
    ),
  )

/** The digest after a region. */
export const extendWithRegion = async (digest: Uint8Array, region: Region): Promise<Uint8Array> => {
  let [extended, gpa] = [digest, region.gpa]
  for (const contents of await contentsOf(region)) {
    extended = await extend(extended, { type: region.type, gpa, contents })
    gpa += PAGE_BYTES
  }
  return extended
}

/** The digest after one more processor, by the SHA-384 of its VMSA page. */
export const extendWithVcpu = async (digest: Uint8Array, vmsaDigest: Uint8Array): Promise<Uint8Array> =>
  extend(digest, { type: 'VMSA', gpa: VMSA_GPA, contents: vmsaDigest })
