import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { equalBytes, parseDid } from '@parley/protocol'
import { expect, test } from 'vitest'
import { createIdentity, generateIdentity, identityFromSeed, loadIdentity } from '../src/index.js'
import { freshFolder } from './double/stage.js'

test('an identity is read back as it was made, and its identifier is its key', async () => {
  const path = join(await freshFolder(), 'identity.json')
  const made = await createIdentity(path)
  const read = await loadIdentity(path)
  expect(read.did).toBe(made.did)
  expect(made.did).toMatch(/^did:oas:self:agent:z/)
  const message = Uint8Array.of(1, 2, 3)
  expect(equalBytes(read.key.sign(message), made.key.sign(message))).toBe(true)
  expect(equalBytes(parseDid(made.did).publicKey, made.key.publicKey)).toBe(true)
})

test('an identity is never overwritten', async () => {
  const path = join(await freshFolder(), 'identity.json')
  const { did } = await createIdentity(path)
  await expect(createIdentity(path)).rejects.toMatchObject({ code: 'state_exists' })
  expect((await loadIdentity(path)).did).toBe(did)
})

test('of two identities made at once in one place one is kept, and the other is refused', async () => {
  const path = join(await freshFolder(), 'identity.json')
  const made = await Promise.allSettled([createIdentity(path), createIdentity(path)])
  const kept = made.flatMap((each) => (each.status === 'fulfilled' ? [each.value.did] : []))
  expect(kept).toEqual([(await loadIdentity(path)).did])
})

test('two identities are two', () => {
  expect(generateIdentity().did).not.toBe(generateIdentity().did)
})

test.each([0, 31, 33])('a seed of %i bytes is refused as key_refused', (size) => {
  expect(() => identityFromSeed(new Uint8Array(size))).toThrow(
    expect.objectContaining({ code: 'key_refused' }),
  )
})

test.each<[string, (file: Record<string, unknown>) => unknown]>([
  ['with another’s identifier', (file) => ({ ...file, did: generateIdentity().did })],
  ['with an unknown member', (file) => ({ ...file, extra: 1 })],
  ['of another version', (file) => ({ ...file, version: 'parley-identity-v2' })],
  ['with a short seed', (file) => ({ ...file, seed: 'AAAA' })],
  ['without a seed', ({ version, did }) => ({ version, did })],
  ['that is an array', () => []],
])('an identity file %s is state_malformed, and the error shows no seed', async (_, change) => {
  const path = join(await freshFolder(), 'identity.json')
  await createIdentity(path)
  const file = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>
  await writeFile(path, JSON.stringify(change(file)))
  const error: unknown = await loadIdentity(path).catch((each: unknown) => each)
  expect(error).toMatchObject({ code: 'state_malformed' })
  expect(String(error)).not.toContain(String(file['seed']))
})

test('an identity file that was cut off is state_malformed', async () => {
  const path = join(await freshFolder(), 'identity.json')
  await createIdentity(path)
  const text = await readFile(path, 'utf8')
  await writeFile(path, text.slice(0, -3))
  await expect(loadIdentity(path)).rejects.toMatchObject({ code: 'state_malformed' })
})

test('an identity that others may read is refused', async () => {
  const path = join(await freshFolder(), 'identity.json')
  await createIdentity(path)
  await chmod(path, 0o644)
  await expect(loadIdentity(path)).rejects.toMatchObject({ code: 'file_not_private' })
})
