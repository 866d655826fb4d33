import { InvalidArgumentError } from 'commander'

/** A TCP port; 0 lets the system choose. */
export const parsePort = (text: string): number => {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Infinity
  if (port > 65_535) throw new InvalidArgumentError('a port, 0 to 65535')
  return port
}
