import { InvalidArgumentError } from 'commander'

const BITS = /^(\d{1,6})(?:\.(\d{1,3}))?$/
const SECONDS = /^\d{1,6}$/

/** Thousandths of a bit, from bits with up to three decimals. */
export const parseBits = (text: string): number => {
  const [, whole, part = ''] = BITS.exec(text) ?? []
  if (whole === undefined) throw new InvalidArgumentError('bits, with up to three decimals')
  return Number(whole) * 1000 + Number(part.padEnd(3, '0'))
}

/** Milliseconds, from whole seconds. */
export const parseSeconds = (text: string): number => {
  if (!SECONDS.test(text)) throw new InvalidArgumentError('whole seconds')
  return Number(text) * 1000
}

/** Bits, from thousandths of a bit, as a reader wants them. */
export const bitsText = (millibits: number): string => `${(millibits / 1000).toFixed(3)} bits`
