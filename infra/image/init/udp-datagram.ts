const IP_HEADER = 20
const UDP_HEADER = 8
const UDP = 17
const SERVER_PORT = 67
const CLIENT_PORT = 68

/** A DHCP message to everyone, from a machine that has no address yet: IPv4 and UDP headers before it. */
export function wrapDhcp(message: Buffer): Buffer {
  const packet = Buffer.alloc(IP_HEADER + UDP_HEADER)
  packet[0] = 0x45
  packet.writeUInt16BE(packet.length + message.length, 2)
  packet.set([64, UDP], 8)
  packet.fill(0xff, 16, 20)
  packet.writeUInt16BE(headerChecksum(packet.subarray(0, IP_HEADER)), 10)
  packet.writeUInt16BE(CLIENT_PORT, 20)
  packet.writeUInt16BE(SERVER_PORT, 22)
  packet.writeUInt16BE(UDP_HEADER + message.length, 24)
  return Buffer.concat([packet, message])
}

/** What a packet carries from a DHCP server to a client; null if it is no such packet. */
export function unwrapDhcp(packet: Buffer): Buffer | null {
  if (packet.length < IP_HEADER + UDP_HEADER) return null
  const header = (packet.readUInt8(0) & 0x0f) * 4
  if (packet.readUInt8(0) >> 4 !== 4 || packet[9] !== UDP) return null
  if (header < IP_HEADER || packet.length < header + UDP_HEADER) return null
  if (packet.readUInt16BE(header) !== SERVER_PORT || packet.readUInt16BE(header + 2) !== CLIENT_PORT)
    return null
  return packet.subarray(header + UDP_HEADER)
}

/** RFC 791: the complement of the sum of the header's words. */
function headerChecksum(header: Buffer): number {
  let sum = 0
  for (let at = 0; at < header.length; at += 2) sum += header.readUInt16BE(at)
  sum = (sum & 0xffff) + (sum >> 16)
  return ~(sum + (sum >> 16)) & 0xffff
}
