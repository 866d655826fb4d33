import { closeSync, writeFileSync } from 'node:fs'
import type { Address, Answered } from './dhcp-message.js'
import type { Interface } from './interface.js'
import { addressOf, networkIoctl, socket } from './libc.js'

const AF_INET = 2
const SOCK_DGRAM = 2
const SIOCADDRT = 0x890b
const SIOCDELRT = 0x890c
const SIOCSIFFLAGS = 0x8914
const SIOCSIFADDR = 0x8916
const SIOCSIFNETMASK = 0x891c
const SIOCSIFMTU = 0x8922
const UP_AND_RUNNING = 0x41
const ROUTE_UP = 1
const ROUTE_BY_GATEWAY = 2
const ROUTE_TO_HOST = 4

const configure = (request: number, argument: Buffer): void => {
  const fd = socket(AF_INET, SOCK_DGRAM, 0)
  try {
    networkIoctl(fd, request, argument)
  } finally {
    closeSync(fd)
  }
}

/** struct ifreq. */
function interfaceRequest(name: string, value: Buffer): Buffer {
  const request = Buffer.alloc(40)
  request.write(name, 0, 15, 'latin1')
  request.set(value, 16)
  return request
}

function inetAddress(address: Address): Buffer {
  const bytes = Buffer.alloc(16)
  bytes.writeUInt16LE(AF_INET, 0)
  bytes.set(address, 4)
  return bytes
}

/** Brings an interface up; it has no address yet. */
export function bringUp(name: string): void {
  // IPv6 would make addresses and routes of its own.
  writeFileSync(`/proc/sys/net/ipv6/conf/${name}/disable_ipv6`, '1')
  const flags = Buffer.alloc(2)
  flags.writeUInt16LE(UP_AND_RUNNING)
  configure(SIOCSIFFLAGS, interfaceRequest(name, flags))
}

/** Gives an interface its address. The only route that comes with it is to its own network, which on GCP is nobody. */
export function setAddress({ name }: Interface, { address, netmask, mtu }: Answered): void {
  if (mtu !== null) {
    const size = Buffer.alloc(4)
    size.writeInt32LE(mtu)
    configure(SIOCSIFMTU, interfaceRequest(name, size))
  }
  configure(SIOCSIFADDR, interfaceRequest(name, inetAddress(address)))
  configure(SIOCSIFNETMASK, interfaceRequest(name, inetAddress(netmask)))
}

/** A way to one other machine. There is no default route, so there is a way to no machine but those named here. */
export function addHostRoute(link: Interface, lease: Answered, host: Address): void {
  if (isOnLink(lease, host)) return
  const { router } = lease
  if (router === null) {
    route(SIOCADDRT, link, host, null)
    return
  }
  if (!isOnLink(lease, router)) route(SIOCADDRT, link, router, null)
  route(SIOCADDRT, link, host, router)
}

/** Takes back what {@link addHostRoute} gave. */
export function removeHostRoute(link: Interface, lease: Answered, host: Address): void {
  if (!isOnLink(lease, host)) route(SIOCDELRT, link, host, lease.router)
}

function isOnLink({ address, netmask }: Answered, host: Address): boolean {
  const mask = netmask.readUInt32BE(0)
  return ((address.readUInt32BE(0) ^ host.readUInt32BE(0)) & mask) === 0
}

/** struct rtentry of 64-bit Linux. */
function route(request: number, { name }: Interface, host: Address, gateway: Address | null): void {
  const entry = Buffer.alloc(120)
  const device = Buffer.from(`${name}\0`, 'latin1')
  entry.set(inetAddress(host), 8)
  if (gateway !== null) entry.set(inetAddress(gateway), 24)
  entry.set(inetAddress(Buffer.alloc(4, 0xff)), 40)
  entry.writeUInt16LE(ROUTE_UP | ROUTE_TO_HOST | (gateway === null ? 0 : ROUTE_BY_GATEWAY), 56)
  entry.writeBigUInt64LE(addressOf(device), 88)
  configure(request, entry)
}
