import { InvalidArgumentError } from 'commander'

const BITS = /^(\d{1,6})(?:\.(\d{1,3}))?$/
const SEQ = /^(?:0|[1-9]\d{0,14})$/
const SECONDS = /^\d{1,6}$/
const COUNT = /^[1-9]\d{0,6}$/

/** Thousandths of a bit, from bits with up to three decimals. */
export const parseBits = (text: string): number => {
  const [, whole, part = ''] = BITS.exec(text) ?? []
  if (whole === undefined) throw new InvalidArgumentError('bits, with up to three decimals')
  return Number(whole) * 1000 + Number(part.padEnd(3, '0'))
}

/** The number of an event; 0 for none. */
export const parseSeq = (text: string): number => {
  if (!SEQ.test(text)) throw new InvalidArgumentError('a whole number')
  return Number(text)
}

/** Milliseconds, from whole seconds. */
export const parseSeconds = (text: string): number => {
  if (!SECONDS.test(text)) throw new InvalidArgumentError('whole seconds')
  return Number(text) * 1000
}

/** A whole number from 1 on. */
export const parseCount = (text: string): number => {
  if (!COUNT.test(text)) throw new InvalidArgumentError('a whole number, 1 or more')
  return Number(text)
}

/** Bits, from thousandths of a bit, as a reader wants them. */
export const bitsText = (millibits: number): string => `${(millibits / 1000).toFixed(3)} bits`
