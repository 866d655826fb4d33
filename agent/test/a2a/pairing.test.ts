import { chmod, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { rightsOf } from '@parley/guardian'
import { expect, test } from 'vitest'
import { parseEndpoint } from '../../src/a2a/endpoint.js'
import { EndpointFiles } from '../../src/a2a/endpoint-files.js'
import { ownInstanceId } from '../../src/a2a/instance-id.js'
import { OriginFiles } from '../../src/a2a/origin-files.js'
import { drawPairing, endpointFileOf, parsePairing } from '../../src/a2a/pairing.js'
import { pairingIds, pairingPath, writePairingFile } from '../../src/a2a/pairing-folder.js'
import { pairUp, startPeer, URL_OF_NOBODY, writeEndpoint, writeOrigin } from './double/peers.js'

test('A2A-04: an instance’s id stays, in a file that is its owner’s alone', async () => {
  const { paths, card } = await startPeer()
  expect(await ownInstanceId(paths.instanceId)).toBe(card.instance_id)
  expect((await stat(paths.instanceId)).mode & 0o777).toBe(0o600)
  expect((await stat(paths.folder)).mode & 0o777).toBe(0o700)
})

test('A2A-04: of two who ask for the id at first, both get the same', async () => {
  const { paths } = await startPeer()
  const path = `${paths.instanceId}.new`
  const [one, other] = await Promise.all([ownInstanceId(path), ownInstanceId(path)])
  expect(one).toBe(other)
})

test('A2A-04: an id that others may read, or that is none, is refused', async () => {
  const { paths } = await startPeer()
  await chmod(paths.instanceId, 0o644)
  await expect(ownInstanceId(paths.instanceId)).rejects.toMatchObject({ code: 'file_not_private' })
  await writeFile(paths.instanceId, '{"version":"parley-instance-v1","instance_id":"1"}')
  await chmod(paths.instanceId, 0o600)
  await expect(ownInstanceId(paths.instanceId)).rejects.toMatchObject({ code: 'state_malformed' })
})

test('A2A-05: a pairing pins both instances and both keys', async () => {
  const { sender, receiver, pairing } = await pairUp()
  const origin = new OriginFiles(receiver.paths.origins).find('peer-a')
  const endpoint = new EndpointFiles(sender.paths.endpoints).find('bob')
  expect(origin).toMatchObject({
    ok: true,
    value: { sender_instance_id_pin: sender.card.instance_id, sender_key: sender.identity.key.publicKey },
  })
  expect(endpoint).toMatchObject({
    ok: true,
    value: { instance_id: receiver.card.instance_id, receiver_key: receiver.identity.key.publicKey },
  })
  expect(pairing.hmac_key).not.toBe(pairing.recv_key)
  expect(new OriginFiles(receiver.paths.origins).senderOf('peer-a')).toBe(sender.identity.did)
})

test('A2A-20: what a file leaves out is denied, and that it is enabled, too', async () => {
  const pair = await pairUp()
  const { origin_id, hmac_key, recv_key } = pair.pairing
  await writePairingFile(pair.receiver.paths.origins, 'peer-a', { origin_id, hmac_key, recv_key }, true)
  const found = new OriginFiles(pair.receiver.paths.origins).find('peer-a')
  if (!found.ok) throw new Error(found.reason)
  expect(found.value.enabled).toBe(false)
  expect(rightsOf(found.value)).toMatchObject({
    mode: 'observer',
    bash: false,
    network: false,
    read_files: false,
    write_files: false,
    subagents: false,
  })
  const file = endpointFileOf(pair.pairing, pair.sender.card, {
    endpoint_id: 'bob',
    label: 'Bob',
    enabled: true,
  })
  const { enabled: _, ...rest } = file
  expect(parseEndpoint(rest)).toMatchObject({ ok: true, value: { enabled: false } })
})

test.each([
  ['origin_file_malformed', { more: 1 }],
  ['origin_file_malformed', { origin_id: 'peer-b' }],
  ['origin_file_malformed', { max_data_classification: 'TOP' }],
  ['origin_key_malformed', { recv_key: 'AB'.repeat(32) }],
  ['origin_key_malformed', { sender_did: 'did:oas:x' }],
])('A2A-20: an origin file is refused as %s with %j', async (reason, change) => {
  const pair = await pairUp(change)
  expect(new OriginFiles(pair.receiver.paths.origins).find('peer-a')).toEqual({ ok: false, reason })
})

test.each([
  ['endpoint_file_malformed', { more: 1 }],
  ['endpoint_file_malformed', { endpoint_id: 'alice' }],
  ['endpoint_file_malformed', { default_ttl_s: 0 }],
  ['endpoint_file_malformed', { instance_id: 'x' }],
  ['endpoint_key_malformed', { hmac_key: '' }],
  ['endpoint_key_malformed', { receiver_did: 'did:oas:x' }],
  ['endpoint_url_refused', { url: 'http://peer.example/' }],
])('an endpoint file is refused as %s with %j', async (reason, change) => {
  const pair = await pairUp()
  await writeEndpoint(pair, URL_OF_NOBODY, change)
  expect(new EndpointFiles(pair.sender.paths.endpoints).find('bob')).toEqual({ ok: false, reason })
})

test('A2A-20: files that others may read, or that are not there, are refused', async () => {
  const pair = await pairUp()
  const origins = new OriginFiles(pair.receiver.paths.origins)
  const endpoints = new EndpointFiles(pair.sender.paths.endpoints)
  await chmod(pairingPath(pair.receiver.paths.origins, 'peer-a'), 0o660)
  await chmod(pairingPath(pair.sender.paths.endpoints, 'bob'), 0o604)
  expect(origins.find('peer-a')).toEqual({ ok: false, reason: 'origin_file_world_readable' })
  expect(origins.list()).toEqual([{ id: 'peer-a', found: origins.find('peer-a') }])
  expect(endpoints.find('bob')).toEqual({ ok: false, reason: 'endpoint_file_world_readable' })
  expect(origins.find('nobody')).toEqual({ ok: false, reason: 'unknown_origin' })
  expect(endpoints.find('nobody')).toEqual({ ok: false, reason: 'unknown_endpoint' })
  expect(origins.find('a'.repeat(256))).toMatchObject({ ok: false })
})

test.each(['../peer-a', '.hidden', 'a/b', 'a\\b', 'c:d', '', 'a\u0000'])(
  'no id reaches outside: %j',
  async (id) => {
    const { receiver } = await pairUp()
    expect(() => pairingPath(receiver.paths.origins, id)).toThrow(
      expect.objectContaining({ code: 'argument_invalid' }),
    )
    expect(new OriginFiles(receiver.paths.origins).find(id)).toEqual({
      ok: false,
      reason: 'invalid_origin_id',
    })
  },
)

test('a pairing’s file takes the place of another only when told to', async () => {
  const pair = await pairUp()
  await expect(writePairingFile(pair.receiver.paths.origins, 'peer-a', {}, false)).rejects.toMatchObject({
    code: 'state_exists',
  })
  await writeOrigin(pair, { label: null })
  expect(pairingIds(pair.receiver.paths.origins)).toEqual(['peer-a'])
  expect(pairingIds(join(pair.receiver.home, 'nowhere'))).toEqual([])
})

test('a pairing for another instance is refused, and so is what is no pairing', async () => {
  const { sender, receiver, pairing } = await pairUp()
  const names = { endpoint_id: 'bob', label: 'Bob', enabled: true }
  for (const own of [receiver.card, { ...sender.card, instance_id: receiver.card.instance_id }])
    expect(() => endpointFileOf(pairing, own, names)).toThrow(
      expect.objectContaining({ code: 'argument_invalid' }),
    )
  expect(parsePairing(pairing)).toEqual(pairing)
  for (const wrong of [{ ...pairing, more: 1 }, { ...pairing, hmac_key: 'AA'.repeat(32) }, [], null])
    expect(() => parsePairing(wrong)).toThrow(expect.objectContaining({ code: 'state_malformed' }))
  expect(() =>
    drawPairing(
      { receiver: receiver.card, sender: sender.card, url: 'ftp://peer' },
      { origin_id: 'a', max_ttl_s: 1 },
    ),
  ).toThrow(expect.objectContaining({ code: 'url_malformed' }))
})
