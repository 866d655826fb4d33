const SIZE = 300
const MAGIC = 0x63825363
const OPTIONS = 240
const BROADCAST = 0x8000
const TYPE = 53
const NETMASK = 1
const ROUTER = 3
const MTU = 26
const REQUESTED = 50
const SERVER = 54
const WANTED = 55
const END = 255

/** Types of DHCP messages (RFC 2132, 9.6). */
export const DISCOVER = 1
export const OFFER = 2
export const REQUEST = 3
export const ACK = 5

/** An IPv4 address, 4 bytes. */
export type Address = Buffer

/** What this machine says. */
export type Asking = {
  readonly type: typeof DISCOVER | typeof REQUEST
  /** Draws the answers to us, 4 bytes. */
  readonly transaction: number
  /** The interface's, 6 bytes. */
  readonly hardware: Buffer
  /** In a request: what was offered, and by whom. */
  readonly offered?: { readonly address: Address; readonly server: Address }
}

/** What a server answers. */
export type Answered = {
  readonly type: number
  readonly address: Address
  readonly server: Address
  readonly netmask: Address
  readonly router: Address | null
  readonly mtu: number | null
}

/** The bytes of a message (RFC 2131, section 2). */
export function encodeDhcp({ type, transaction, hardware, offered }: Asking): Buffer {
  const message = Buffer.alloc(SIZE)
  message.set([1, 1, hardware.length, 0])
  message.writeUInt32BE(transaction, 4)
  message.writeUInt16BE(BROADCAST, 10)
  message.set(hardware, 28)
  message.writeUInt32BE(MAGIC, 236)
  const options = [
    Buffer.from([TYPE, 1, type]),
    ...(offered === undefined ? [] : [option(REQUESTED, offered.address), option(SERVER, offered.server)]),
    Buffer.from([WANTED, 3, NETMASK, ROUTER, MTU, END]),
  ]
  message.set(Buffer.concat(options), OPTIONS)
  return message
}

const option = (code: number, value: Buffer): Buffer =>
  Buffer.concat([Buffer.from([code, value.length]), value])

/** Reads an answer to one transaction; null for whatever is none. The host writes it, and nothing in it is believed. */
export function parseDhcp(message: Buffer, transaction: number): Answered | null {
  if (message.length < OPTIONS || message[0] !== 2) return null
  if (message.readUInt32BE(4) !== transaction || message.readUInt32BE(236) !== MAGIC) return null
  const options = readOptions(message.subarray(OPTIONS))
  const server = sized(options, SERVER, 4)
  const netmask = sized(options, NETMASK, 4)
  const type = sized(options, TYPE, 1)
  if (server === null || netmask === null || type === null) return null
  return {
    type: type.readUInt8(0),
    address: message.subarray(16, 20),
    server,
    netmask,
    router: firstAddress(options.get(ROUTER)),
    mtu: sized(options, MTU, 2)?.readUInt16BE(0) ?? null,
  }
}

function readOptions(bytes: Buffer): ReadonlyMap<number, Buffer> {
  const options = new Map<number, Buffer>()
  for (let at = 0; at + 1 < bytes.length && bytes[at] !== END; ) {
    const code = bytes.readUInt8(at)
    if (code === 0) {
      at += 1
      continue
    }
    const size = bytes.readUInt8(at + 1)
    if (at + 2 + size > bytes.length) break
    options.set(code, bytes.subarray(at + 2, at + 2 + size))
    at += 2 + size
  }
  return options
}

/** The first of several; none where there is not a whole one. */
const firstAddress = (value: Buffer | undefined): Address | null =>
  value !== undefined && value.length >= 4 ? value.subarray(0, 4) : null

function sized(options: ReadonlyMap<number, Buffer>, code: number, size: number): Buffer | null {
  const value = options.get(code)
  return value?.length === size ? value : null
}
