const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

/** The part of an address that one customer holds: an IPv4 address, or the /64 of an IPv6 address. */
export const addressBlock = (address: string): string => {
  if (!address.includes(':')) return address
  return MAPPED_IPV4.exec(address)?.[1] ?? prefix64(address)
}

const prefix64 = (address: string): string => {
  const [head = '', tail] = address.split('::')
  const left = groups(head)
  const missing = tail === undefined ? 0 : 8 - left.length - groups(tail).length
  const zeros: string[] = Array.from({ length: Math.max(0, missing) }, () => '0')
  return [...left, ...zeros, ...groups(tail ?? '')].slice(0, 4).join(':')
}

const groups = (text: string): readonly string[] => (text === '' ? [] : text.split(':'))
