import { expect } from 'vitest'
import { encodeRequest, encodeResponse, parseRequest } from '../../src/bhttp.js'
import { toHex, utf8 } from '../../src/bytes.js'
import { setupReceiver, setupSender, x25519PrivateKey } from '../../src/hpke.js'
import { isAeadId } from '../../src/hpke-suite.js'
import { encodeKeyConfig, encodeKeyConfigs, parseKeyConfigs } from '../../src/key-config.js'
import { gatewayKeyFromBytes, openRequest, startRequest } from '../../src/ohttp.js'
import { codeOf } from '../code-of.js'
import type { Consumer } from './vector.js'

const aeadOf = (id: unknown) => {
  if (typeof id !== 'number' || !isAeadId(id)) throw new Error('the vector names an unknown AEAD')
  return id
}

const wholeExchange: Consumer = ({ expected, bytes }) => {
  const gateway = gatewayKeyFromBytes(1, bytes('gateway-secret.bin'))
  expect(encodeKeyConfig(gateway.config)).toEqual(bytes('key-config.bin'))

  const aead = aeadOf(expected['aead_id'])
  const client = startRequest(gateway.config, { aead, ephemeralSeed: bytes('ephemeral-secret.bin') })
  const request = client.seal(bytes('request.bhttp.bin'))
  expect(request).toEqual(bytes('request.bin'))

  const opened = openRequest(gateway, request)
  expect(opened.bhttp).toEqual(bytes('request.bhttp.bin'))
  expect([opened.keyId, opened.aead]).toEqual([expected['key_id'], aead])
  expect(toHex(opened.enc)).toBe(toHex(client.enc))
  expect(parseRequest(opened.bhttp)).toMatchObject(expected['request'] as object)
  expect(encodeRequest(parseRequest(opened.bhttp))).toEqual(bytes('request.bhttp.bin'))

  const status = Number(expected['status'])
  const bhttp = encodeResponse({ status, headers: [], content: new Uint8Array(0) })
  expect(bhttp).toEqual(bytes('response.bhttp.bin'))
  const response = opened.sealResponse(bhttp, bytes('response.bin').slice(0, 16))
  expect(response).toEqual(bytes('response.bin'))
  expect(client.open(response)).toEqual(bhttp)
}

const refusedRequest: Consumer = ({ expected, bytes }) => {
  const gateway = gatewayKeyFromBytes(1, bytes('gateway-secret.bin'))
  expect(codeOf(() => openRequest(gateway, bytes('request.bin')))).toBe(expected['code'])
}

const keyConfigs: Consumer = ({ expected, bytes }) => {
  const keys = bytes('keys.bin')
  if (expected['outcome'] === 'refused') {
    expect(codeOf(() => parseKeyConfigs(keys))).toBe(expected['code'])
    return
  }
  expect(parseKeyConfigs(keys).map(({ keyId }) => keyId)).toEqual(expected['key_ids'])
  expect(encodeKeyConfigs(parseKeyConfigs(keys))).toEqual(keys)
}

const hpke: Consumer = ({ expected, bytes }) => {
  const aead = aeadOf(expected['aead_id'])
  const privateKey = x25519PrivateKey(bytes('receiver-secret.bin'))
  const info = bytes('info.bin')
  const ephemeralSeed = bytes('ephemeral-secret.bin')
  const sender = setupSender({ publicKey: privateKey.publicKey, info, aead, ephemeralSeed })
  const receiver = setupReceiver({ privateKey, enc: sender.enc, info, aead })
  expect(toHex(sender.enc)).toBe(expected['enc'])
  const plaintext = bytes('plaintext.bin')
  for (const [sequence, ciphertext] of (expected['ciphertexts'] as string[]).entries()) {
    const aad = utf8(`Count-${sequence}`)
    const sealed = sender.seal(aad, plaintext)
    expect(toHex(sealed)).toBe(ciphertext)
    expect(toHex(receiver.open(aad, sealed))).toBe(toHex(plaintext))
  }
  for (const { context, secret } of expected['exported'] as { context: string; secret: string }[]) {
    const exporterContext = Uint8Array.from(Buffer.from(context, 'hex'))
    expect(toHex(sender.exportSecret(exporterContext, 32))).toBe(secret)
    expect(toHex(receiver.exportSecret(exporterContext, 32))).toBe(secret)
  }
}

export const ohttpConsumers: Record<string, Consumer> = {
  hpke,
  ohttp: wholeExchange,
  'ohttp-request': refusedRequest,
  'key-configs': keyConfigs,
}
