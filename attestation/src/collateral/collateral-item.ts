import { HW_ID_BYTES } from '../chain/check-chip-id.js'
import { SPL_OF_BYTE } from '../chain/leaf-tcb.js'
import { isZero } from '../equal-bytes.js'
import { AttestationError } from '../errors.js'
import { toHex } from '../hex.js'
import type { ProductLine } from '../product.js'
import type { Report } from '../report/report.js'
import type { SigningKey } from '../report/signer-info.js'

/** The certificate of a chip's key for one TCB. Two TCBs of a chip are two keys. */
export type VcekItem = {
  readonly kind: 'vcek'
  readonly product: ProductLine
  /** 64 bytes, or 8 from Turin on. */
  readonly hwID: Uint8Array
  /** TCB_VERSION, all 8 bytes. */
  readonly tcb: Uint8Array
}

/** The intermediate of one kind of leaf with its root, or the root's list of what it revoked. */
export type AuthorityItem = {
  readonly kind: 'chain' | 'crl'
  readonly signs: SigningKey
  readonly product: ProductLine
}

/** What AMD's key distribution service (KDS) hands out to everybody. */
export type CollateralItem = VcekItem | AuthorityItem

/** Where KDS is. */
export const KDS_URL = 'https://kdsintf.amd.com'

/**
 * The certificate that a report of a VCEK needs.
 * @throws AttestationError collateral_missing where CHIP_ID is masked, chip_id_mismatch where it is of another line
 */
export const vcekItemOf = ({ chip_id, reported_tcb }: Report, product: ProductLine): VcekItem => {
  if (isZero(chip_id)) {
    throw new AttestationError('collateral_missing', 'CHIP_ID is masked, so no VCEK can be asked for')
  }
  const size = HW_ID_BYTES[product]
  if (!isZero(chip_id.subarray(size)))
    throw new AttestationError('chip_id_mismatch', `a CHIP_ID of ${product} has ${size} bytes`)
  return { kind: 'vcek', product, hwID: chip_id.subarray(0, size), tcb: reported_tcb }
}

// Parts whose version AMD counts today: the others are reserved, and KDS does not take them.
const ASKED = ['fmcSPL', 'blSPL', 'teeSPL', 'snpSPL', 'ucodeSPL'] as const

const tcbQuery = ({ product, tcb }: VcekItem): string =>
  ASKED.flatMap((name) => {
    const at = SPL_OF_BYTE[product].indexOf(name)
    return at < 0 ? [] : [`${name}=${String(tcb[at] ?? 0).padStart(2, '0')}`]
  }).join('&')

/**
 * The path of an item at KDS, with its query. Turin's chips are named by 8 bytes and have an FMC.
 * @see AMD 57230, VCEK and VLEK Certificate and KDS Interface
 */
export const kdsPath = (item: CollateralItem): string => {
  switch (item.kind) {
    case 'vcek':
      return `/vcek/v1/${item.product}/${toHex(item.hwID)}?${tcbQuery(item)}`
    case 'chain':
      return `/${item.signs}/v1/${item.product}/cert_chain`
    case 'crl':
      return `/${item.signs}/v1/${item.product}/crl`
  }
}

/** A name for an item, by all that tells it from others; it can stand as a file name. */
export const itemName = (item: CollateralItem): string => {
  switch (item.kind) {
    case 'vcek':
      return `vcek-${item.product}-${toHex(item.hwID)}-${toHex(item.tcb)}.der`
    case 'chain':
      return `${item.signs}-${item.product}-chain.pem`
    case 'crl':
      return `${item.signs}-${item.product}.crl`
  }
}
