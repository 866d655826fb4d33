import { randomBytes } from 'node:crypto'
import { closeSync } from 'node:fs'
import { BootError } from './boot-error.js'
import {
  ACK,
  type Answered,
  type Asking,
  DISCOVER,
  encodeDhcp,
  OFFER,
  parseDhcp,
  REQUEST,
} from './dhcp-message.js'
import type { Interface } from './interface.js'
import { bind, recv, sendto, setsockopt, socket } from './libc.js'
import { unwrapDhcp, wrapDhcp } from './udp-datagram.js'

const AF_PACKET = 17
const SOCK_DGRAM = 2
/** ETH_P_IP in the order of the network. */
const IPV4 = 0x0008
const SOL_SOCKET = 1
const SO_RCVTIMEO = 20
const ATTEMPTS = 20
const MAX_PACKETS = 64

/**
 * Asks for an address. The lease is not renewed: clouds give a machine one address for its life.
 * @throws BootError network_failed after 20 seconds or so
 */
export function takeLease(link: Interface): Answered {
  const fd = openPacketSocket(link)
  try {
    const transaction = randomBytes(4).readUInt32BE(0)
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const lease = converse(fd, link, transaction)
      if (lease !== null) return lease
    }
    throw new BootError('network_failed', 'nobody answers with an address')
  } finally {
    closeSync(fd)
  }
}

function openPacketSocket(link: Interface): number {
  const fd = socket(AF_PACKET, SOCK_DGRAM, IPV4)
  const oneSecond = Buffer.alloc(16)
  oneSecond.writeBigInt64LE(1n, 0)
  setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, oneSecond, oneSecond.length)
  const address = linkAddress(link)
  bind(fd, address, address.length)
  return fd
}

function converse(fd: number, link: Interface, transaction: number): Answered | null {
  const offer = ask(fd, link, { type: DISCOVER, transaction, hardware: link.hardware }, OFFER)
  if (offer === null) return null
  const { address, server } = offer
  const request = {
    type: REQUEST,
    transaction,
    hardware: link.hardware,
    offered: { address, server },
  } as const
  return ask(fd, link, request, ACK)
}

function ask(fd: number, link: Interface, asking: Asking, expected: number): Answered | null {
  const packet = wrapDhcp(encodeDhcp(asking))
  const everyone = linkAddress(link)
  everyone.fill(0xff, 12, 18)
  sendto(fd, packet, packet.length, 0, everyone, everyone.length)
  const buffer = Buffer.alloc(2048)
  for (let packets = 0; packets < MAX_PACKETS; packets++) {
    const size = recv(fd, buffer)
    if (size === null) return null
    const message = unwrapDhcp(buffer.subarray(0, size))
    const answer = message === null ? null : parseDhcp(Buffer.from(message), asking.transaction)
    if (answer?.type === expected) return answer
  }
  return null
}

/** struct sockaddr_ll. */
function linkAddress({ index }: Interface): Buffer {
  const address = Buffer.alloc(20)
  address.writeUInt16LE(AF_PACKET, 0)
  address.writeUInt16LE(IPV4, 2)
  address.writeInt32LE(index, 4)
  address[11] = 6
  return address
}
