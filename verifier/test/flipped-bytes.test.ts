import { ChainMemo, type ExtraRoot } from '@parley/attestation'
import { type Bundle, canonicalBytes, fromBase64url, type JsonValue, toBase64url } from '@parley/protocol'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { parseVerifierPolicy, type VerifierPolicy, verifyBundle } from '../src/index.js'
import { mintBundle, NOW, policyFor, toBytes } from './minted-bundle.js'
import { simulateRelay } from './simulated-relay.js'

// Some ten thousand verdicts: a busy machine may take minutes.
vi.setConfig({ testTimeout: 600_000 })

type Case = { readonly bundle: Bundle; readonly policy: VerifierPolicy; readonly roots: readonly ExtraRoot[] }

const memo = new ChainMemo()
const isTrusted = async (bytes: Uint8Array, { policy, roots }: Case): Promise<boolean> =>
  (await verifyBundle({ bytes, policy, roots, now: NOW, memo })).trusted

const flipped = (bytes: Uint8Array, at: number): Uint8Array => {
  const changed = Uint8Array.from(bytes)
  changed[at] = (changed[at] ?? 0) ^ 1
  return changed
}

/** The offsets at which a flip of one bit leaves the bundle trusted: there must be none. */
const unnoticed = async (
  size: number,
  step: number,
  change: (at: number) => Uint8Array,
  of: Case,
): Promise<number[]> => {
  const found: number[] = []
  for (let at = 0; at < size; at += step) if (await isTrusted(change(at), of)) found.push(at)
  return found
}

const indexOf = (file: Uint8Array, part: Uint8Array): number =>
  Buffer.from(file.buffer, file.byteOffset, file.length).indexOf(part)

/** Flips every byte of a part as it stands in the file. */
const inPlace = (part: JsonValue, of: Case): Promise<number[]> => {
  const file = toBytes(of.bundle)
  const bytes = canonicalBytes(part)
  const offset = indexOf(file, bytes)
  if (offset < 0) throw new Error('the part is not in the file')
  return unnoticed(bytes.length, 1, (at) => flipped(file, offset + at), of)
}

/** Flips every byte of what a base64url member decodes to. */
const decoded = (text: string, of: Case): Promise<number[]> => {
  const file = toBytes(of.bundle)
  const bytes = fromBase64url(text)
  const offset = indexOf(file, Buffer.from(text))
  return unnoticed(
    bytes.length,
    1,
    (at) => {
      const changed = Uint8Array.from(file)
      changed.set(Buffer.from(toBase64url(flipped(bytes, at))), offset)
      return changed
    },
    of,
  )
}

const PARTS: readonly [string, (bundle: Bundle) => JsonValue][] = [
  ['keyset', ({ evidence }) => evidence.keyset],
  ['transcript', ({ transcript }) => transcript],
  ['receipt', ({ receipt }) => receipt],
  ['contract', ({ contract }) => contract],
  ['guardian policy', ({ guardian_policy }) => guardian_policy],
  ['offer', ({ offer }) => offer],
  ['consents', ({ consents }) => [...consents]],
  ['openings', ({ openings }) => openings],
]

const HARDWARE = ['report', 'leaf_certificate', 'intermediate_certificate', 'root_certificate'] as const

describe('a byte that is flipped', () => {
  let software: Case
  let confidential: Case
  // A later report costs as much as the first; it is in the way of what is not about it.
  let pending: Case
  beforeAll(async () => {
    const relay = await simulateRelay()
    const policy = parseVerifierPolicy(relay.policy)
    const bundle = await relay.mint()
    const later = { status: 'pending', binding: null } as const
    confidential = { bundle, policy, roots: relay.roots }
    pending = { ...confidential, bundle: { ...bundle, hardware_path: later } }
    software = {
      bundle: await mintBundle('software', null),
      policy: parseVerifierPolicy(policyFor('software')),
      roots: [],
    }
    for (const each of [software, confidential, pending])
      expect(await isTrusted(toBytes(each.bundle), each)).toBe(true)
  })

  it.each(PARTS)('anywhere in the %s turns the verdict', async (_, part) => {
    expect(await inPlace(part(pending.bundle), pending)).toEqual([])
  })

  it.each(HARDWARE)('anywhere in the decoded %s of the evidence turns the verdict', async (member) => {
    const { hardware } = pending.bundle.evidence.binding
    expect(await decoded(hardware?.[member] ?? '', pending)).toEqual([])
  })

  it('anywhere in the report of the hardware path turns the verdict', async () => {
    const { binding } = confidential.bundle.hardware_path
    expect(await decoded(binding?.hardware?.report ?? '', confidential)).toEqual([])
  })

  it('at every seventh place of the file turns the verdict', async () => {
    const file = toBytes(confidential.bundle)
    expect(await unnoticed(file.length, 7, (at) => flipped(file, at), confidential)).toEqual([])
  })

  it('at every seventh place of the file turns the verdict in the software lane', async () => {
    const file = toBytes(software.bundle)
    expect(await unnoticed(file.length, 7, (at) => flipped(file, at), software)).toEqual([])
  })
})

describe('a byte that is added or lost', () => {
  it('at any of every hundredth place makes the bundle malformed', async () => {
    const of: Case = {
      bundle: await mintBundle('software', null),
      policy: parseVerifierPolicy(policyFor('software')),
      roots: [],
    }
    const file = toBytes(of.bundle)
    const lost = (at: number): Uint8Array =>
      Uint8Array.from([...file.subarray(0, at), ...file.subarray(at + 1)])
    const doubled = (at: number): Uint8Array =>
      Uint8Array.from([...file.subarray(0, at + 1), ...file.subarray(at)])
    expect(await unnoticed(file.length, 97, lost, of)).toEqual([])
    expect(await unnoticed(file.length, 97, doubled, of)).toEqual([])
  })
})
