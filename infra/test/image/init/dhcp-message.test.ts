import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ACK, DISCOVER, encodeDhcp, parseDhcp, REQUEST } from '../../../image/init/dhcp-message.js'
import { unwrapDhcp, wrapDhcp } from '../../../image/init/udp-datagram.js'

const TRANSACTION = 0x11223344
const hardware = Buffer.from('42010a00000a', 'hex')

/** An answer as Google gives it: a network of one machine, with a router. */
function answer(options: readonly number[] = OPTIONS): Buffer {
  const message = Buffer.alloc(240)
  message[0] = 2
  message.writeUInt32BE(TRANSACTION, 4)
  message.set([10, 0, 0, 10], 16)
  message.writeUInt32BE(0x63825363, 236)
  return Buffer.concat([message, Buffer.from(options)])
}

const TYPE = [53, 1, ACK]
const SERVER = [54, 4, 169, 254, 169, 254]
const NETMASK = [1, 4, 255, 255, 255, 255]
const OPTIONS = [...TYPE, ...SERVER, ...NETMASK, 3, 4, 10, 0, 0, 1, 26, 2, 5, 180, 255]

describe('a DHCP message', () => {
  it('of a request names what was offered and by whom', () => {
    const offered = { address: Buffer.from([10, 0, 0, 10]), server: Buffer.from([169, 254, 169, 254]) }
    const message = encodeDhcp({ type: REQUEST, transaction: TRANSACTION, hardware, offered })
    expect(message.subarray(240, 260).toString('hex')).toBe('35010332040a00000a3604a9fea9fe370301031a')
  })

  it('of an answer gives address, netmask, router and MTU', () => {
    expect(parseDhcp(answer(), TRANSACTION)).toEqual({
      type: ACK,
      address: Buffer.from([10, 0, 0, 10]),
      server: Buffer.from([169, 254, 169, 254]),
      netmask: Buffer.from([255, 255, 255, 255]),
      router: Buffer.from([10, 0, 0, 1]),
      mtu: 1460,
    })
  })

  it('is no answer to another transaction, without server, netmask or type, or where it is a question', () => {
    const question = answer()
    question[0] = 1
    expect(parseDhcp(answer(), TRANSACTION + 1)).toBeNull()
    expect(parseDhcp(question, TRANSACTION)).toBeNull()
    for (const options of [
      [...SERVER, ...NETMASK],
      [...TYPE, ...NETMASK],
      [...TYPE, ...SERVER],
    ])
      expect(parseDhcp(answer([...options, 255]), TRANSACTION)).toBeNull()
  })

  it('whose option runs past the end is read up to there', () => {
    expect(parseDhcp(answer([...TYPE, ...SERVER, 1, 200, 255]), TRANSACTION)).toBeNull()
  })

  it('takes the first of several routers, and none that is cut short', () => {
    const router = (...bytes: readonly number[]): Buffer | null | undefined =>
      parseDhcp(answer([...TYPE, ...SERVER, ...NETMASK, 3, bytes.length, ...bytes, 255]), TRANSACTION)?.router
    expect(router(10, 0, 0, 1, 10, 0, 0, 2)).toEqual(Buffer.from([10, 0, 0, 1]))
    expect(router(10, 0, 0)).toBeNull()
    expect(router()).toBeNull()
  })

  it('never throws, whatever a server sends', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), (bytes) => {
        const message = unwrapDhcp(Buffer.from(bytes))
        if (message !== null) parseDhcp(message, TRANSACTION)
        parseDhcp(Buffer.from(bytes), TRANSACTION)
      }),
    )
  })

  it('goes to everyone from no address, and only what a server sends to a client comes back', () => {
    const packet = wrapDhcp(encodeDhcp({ type: DISCOVER, transaction: TRANSACTION, hardware }))
    expect(packet.subarray(12, 20).toString('hex')).toBe('00000000ffffffff')
    expect(unwrapDhcp(packet)).toBeNull()
    packet.writeUInt16BE(67, 20)
    packet.writeUInt16BE(68, 22)
    expect(unwrapDhcp(packet)?.length).toBe(300)
  })
})
