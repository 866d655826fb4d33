import { type IdBlockLaunch, type KeyPair, launchWithIdBlock, makeLeafKey } from '@parley/scripts'
import { describe, expect, it } from 'vitest'
import { toHex } from '../../src/hex.js'
import { appraise, chipOf, failures, resultOf } from './simulated-appraisal.js'

const chip = await chipOf('Milan')
const [idKey, authorKey, stranger] = await Promise.all([makeLeafKey(), makeLeafKey(), makeLeafKey()])

const DEMAND = {
  measurement: Uint8Array.from({ length: 48 }, (_, at) => at + 1),
  familyId: new Uint8Array(16).fill(0xfa),
  imageId: new Uint8Array(16).fill(0x1a),
  guestSvn: 7,
  policy: 0x30000n,
}

const alone = launchWithIdBlock(DEMAND, idKey)
const authored = launchWithIdBlock(DEMAND, idKey, authorKey)

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
const digestOf = (bytes: Uint8Array | undefined): { equals: string } => ({
  equals: toHex(bytes ?? new Uint8Array()),
})

const policyOf = (launch: IdBlockLaunch, changes: Record<string, unknown> = {}): Record<string, unknown> => ({
  family_id: { equals: 'fa'.repeat(16) },
  image_id: { equals: '1a'.repeat(16) },
  guest_svn_minimum: 7,
  id_key_digest: digestOf(launch.fields.idKeyDigest),
  author_key_digest: digestOf(launch.fields.authorKeyDigest),
  id_block: { block: base64(launch.block), auth: base64(launch.auth) },
  ...changes,
})

const judge = (
  launch: IdBlockLaunch,
  changes: Record<string, unknown> = {},
  fields = launch.fields,
): Promise<Record<string, string | null>> => failures(chip, { fields, policy: policyOf(launch, changes) })

const keys = (...pairs: KeyPair[]): { of_keys: string[] } => ({
  of_keys: pairs.map(({ spki }) => base64(spki)),
})

describe('trusted keys', () => {
  it('are given by digest or whole: both name the same key', async () => {
    expect(await judge(authored)).toEqual({})
    expect(
      await judge(authored, { id_key_digest: keys(stranger, idKey), author_key_digest: keys(authorKey) }),
    ).toEqual({})
  })

  it('do not count for one another', async () => {
    expect(await judge(authored, { id_key_digest: keys(authorKey, stranger) })).toEqual({
      id_key_digest: 'id_key_digest_mismatch',
    })
    expect(await judge(authored, { author_key_digest: keys(idKey) })).toEqual({
      author_key_digest: 'author_key_digest_mismatch',
    })
  })

  it('a digest of the SubjectPublicKeyInfo is not what the report has', async () => {
    const wrong = { equals: '7d'.repeat(48) }
    expect(await judge(alone, { id_key_digest: wrong })).toEqual({ id_key_digest: 'id_key_digest_mismatch' })
  })

  it('AUTHOR_KEY_DIGEST counts only where AUTHOR_KEY_EN is set', async () => {
    const fields = { ...authored.fields, signerInfo: 0 }
    expect(await judge(authored, { id_block: { any: 'not of interest' } }, fields)).toEqual({
      author_key_digest: 'author_key_digest_mismatch',
    })
  })

  it('are required where the policy names one: a guest without an ID block has zeros', async () => {
    expect(
      await failures(chip, { policy: { id_key_digest: keys(idKey), author_key_digest: keys(authorKey) } }),
    ).toEqual({
      id_key_digest: 'id_key_digest_mismatch',
      author_key_digest: 'author_key_digest_mismatch',
    })
  })
})

const changed = (bytes: Uint8Array, at: number, value: number): Uint8Array => {
  const copy = bytes.slice()
  copy[at] = value
  return copy
}

const withAuth = (launch: IdBlockLaunch, auth: Uint8Array): Record<string, unknown> => ({
  id_block: { block: base64(launch.block), auth: base64(auth) },
})

const malformed = { id_block: 'id_block_malformed' }
const unsigned = { id_block: 'id_block_signature_invalid' }
const mismatch = { id_block: 'id_block_mismatch' }

describe('an ID block', () => {
  it('of the launch is taken, with an author key and without one', async () => {
    expect(await judge(alone)).toEqual({})
    expect(await judge(authored)).toEqual({})
    expect(
      resultOf(await appraise(chip, { fields: alone.fields, policy: policyOf(alone) }), 'id_block'),
    ).toBe('passed')
  })

  it.each([
    ['measurement', { measurement: new Uint8Array(48) }],
    ['familyId', { familyId: new Uint8Array(16) }],
    ['imageId', { imageId: new Uint8Array(16) }],
    ['guestSvn', { guestSvn: 8 }],
    ['policy', { policy: 0x20000n }],
  ])('of another %s than the report is refused', async (_, demand) => {
    const other = launchWithIdBlock({ ...DEMAND, ...demand }, idKey)
    expect(await judge(other, {}, alone.fields)).toEqual(mismatch)
  })

  it('whose key is not that of the report is refused', async () => {
    const other = launchWithIdBlock(DEMAND, stranger)
    expect(await judge(alone, withAuth(alone, other.auth))).toEqual(mismatch)
  })

  it('that somebody else signed is refused', async () => {
    const other = launchWithIdBlock(DEMAND, stranger)
    const auth = alone.auth.slice()
    auth.set(other.auth.subarray(0x40, 0x240), 0x40)
    expect(await judge(alone, withAuth(alone, auth))).toEqual(unsigned)
  })

  it('whose key another author certified is refused', async () => {
    const other = launchWithIdBlock(DEMAND, idKey, stranger)
    expect(await judge(authored, withAuth(authored, other.auth))).toEqual(mismatch)
    const forged = authored.auth.slice()
    forged.set(other.auth.subarray(0x680, 0x880), 0x680)
    expect(await judge(authored, withAuth(authored, forged))).toEqual(unsigned)
  })

  it('without the author key that the report names is refused', async () => {
    expect(await judge(authored, withAuth(authored, alone.auth))).toEqual(malformed)
  })

  it.each([
    ['version 0', 0x50, 0],
    ['version 2', 0x50, 2],
  ])('of %s is refused', async (_, at, value) => {
    const block = changed(alone.block, at, value)
    expect(await judge(alone, { id_block: { block: base64(block), auth: base64(alone.auth) } })).toEqual(
      malformed,
    )
  })

  it.each([
    ['another algorithm', 0, 2],
    ['a reserved byte behind the algorithms', 0x3f, 1],
    ['a reserved byte behind the ID key', 0x67f, 1],
    ['a reserved byte at the end', 0xfff, 1],
    ['a key of another curve', 0x240, 1],
    ['a byte behind x', 0x240 + 4 + 48, 1],
    ['a byte behind y', 0x240 + 76 + 71, 1],
    ['a byte at the end of the key', 0x643, 1],
    ['a point that is not on the curve', 0x244, 0],
  ])('with %s is malformed', async (_, at, value) => {
    const before = alone.auth[at]
    const auth = changed(alone.auth, at, before === value ? value + 1 : value)
    expect(await judge(alone, withAuth(alone, auth))).toEqual(malformed)
  })

  it.each([
    ['a long r', 0x40 + 48, 1],
    ['a long s', 0x40 + 72 + 48, 1],
    ['a byte behind s', 0x40 + 144, 1],
    ['a byte at the end of the signature', 0x23f, 1],
  ])('with %s is not signed', async (_, at, value) => {
    expect(await judge(alone, withAuth(alone, changed(alone.auth, at, value)))).toEqual(unsigned)
  })

  it('with a signature of zeros is not signed', async () => {
    const auth = alone.auth.slice()
    auth.fill(0, 0x40, 0x240)
    expect(await judge(alone, withAuth(alone, auth))).toEqual(unsigned)
  })

  it('with a turned bit anywhere that is looked at is refused, by a code of ours', async () => {
    const codes = ['id_block_malformed', 'id_block_signature_invalid', 'id_block_mismatch']
    for (let at = 0; at < 96; at += 5) {
      const block = changed(alone.block, at, (alone.block[at] ?? 0) ^ 1)
      const failed = await judge(alone, { id_block: { block: base64(block), auth: base64(alone.auth) } })
      expect(codes).toContain(failed['id_block'])
    }
    for (let at = 0; at < 0x644; at += 37) {
      if (at >= 4 && at < 8) continue
      const failed = await judge(alone, withAuth(alone, changed(alone.auth, at, (alone.auth[at] ?? 0) ^ 1)))
      expect(codes).toContain(failed['id_block'])
    }
  })
})
