import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  auditEntryHash,
  canonicalize,
  contractHash,
  fromBase64url,
  type JsonValue,
  keysetDigest,
  keysetLeaf,
  ledgerHead,
  logOrigin,
  MOST_LEDGER_SEQ,
  offerDigest,
  openCheckpoint,
  parseAuditEntry,
  parseBootEvidence,
  parseBundle,
  parseCancelRequest,
  parseCanonicalJson,
  parseConsent,
  parseContract,
  parseEd25519PublicKey,
  parseErased,
  parseEvidence,
  parseJoinRequest,
  parseJson,
  parseKeyset,
  parseOffer,
  parseProvisioned,
  parseProvisionRequest,
  parseReceipt,
  parseReleaseManifest,
  parseTranscript,
  ProtocolError,
  receiptCore,
  receiptCoreHash,
  receiptLeaf,
  sha256,
  signingKeyFromSeed,
  signLedgerEntry,
  toHex,
  transcriptHash,
  utf8,
  verifyBinding,
  verifyConsent,
  verifyLedgerClaim,
  verifyLedgerEntry,
  verifyOffer,
  verifyReceipt,
  verifyRefusal,
} from '../../src/index.js'
import { parseDid } from '../../src/did.js'

const root = join(import.meta.dirname, '../../vectors/objects')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const value = (name: string): JsonValue => parseCanonicalJson(read(`${name}/value.json`))
const digests = JSON.parse(read('digests.json')) as Record<string, string>
const keyset = parseKeyset(value('keyset'))
const receiptKey = parseEd25519PublicKey(fromBase64url(keyset.receipt_key, 32))
const otherKey = parseEd25519PublicKey(fromBase64url(keyset.log_key, 32))
const claimIn = (ledger: JsonValue): JsonValue => ({
  contract_hash: digests['contract'] ?? '',
  nonce: 'A'.repeat(43),
  ledger,
})

const bundleDigest = (each: JsonValue): string => (parseBundle(each), toHex(sha256(utf8(canonicalize(each)))))

// For each folder: how its object is read, and the digest that SPEC defines for it.
const PARSERS: Record<string, (value: JsonValue) => string | null> = {
  contract: (each) => contractHash(parseContract(each)),
  keyset: (each) => keysetDigest(parseKeyset(each)),
  evidence: (each) => (parseEvidence(each), null),
  offer: (each) => offerDigest(parseOffer(each)),
  consent: (each) => (parseConsent(each), null),
  'ledger-entry': (each) => ledgerHead(verifyLedgerEntry(each, receiptKey)),
  'ledger-claim': (each) => (parseJoinRequest(claimIn(each)), null),
  'ledger-entry-windowed': (each) => ledgerHead(verifyLedgerEntry(each, receiptKey)),
  'ledger-claim-windowed': (each) => (parseJoinRequest(claimIn(each)), null),
  transcript: (each) => transcriptHash(parseTranscript(each)),
  'audit-entry': (each) => auditEntryHash('software', parseAuditEntry(each)),
  receipt: (each) => receiptCoreHash(receiptCore(parseReceipt(each))),
  refusal: (each) => (verifyRefusal(each, receiptKey), null),
  'boot-evidence': (each) => (parseBootEvidence(each), null),
  'provision-request': (each) => (parseProvisionRequest(each), null),
  provisioned: (each) => (parseProvisioned(each), null),
  erased: (each) => (parseErased(each), null),
  'release-manifest': (each) => (parseReleaseManifest(each), null),
  bundle: bundleDigest,
  'bundle-of-three': bundleDigest,
  'bundle-of-three-narrowed': bundleDigest,
}

const codeOf = (run: () => unknown): string => {
  try {
    run()
    return 'accepted'
  } catch (error) {
    return error instanceof ProtocolError ? error.code : `untyped: ${String(error)}`
  }
}

describe('object vectors', () => {
  it('consume every folder', () => {
    const folders = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory())
    expect(folders.map((folder) => folder.name).sort()).toEqual(Object.keys(PARSERS).sort())
  })

  for (const [name, parse] of Object.entries(PARSERS)) {
    const expected = JSON.parse(read(`${name}/expect.json`)) as {
      digest: string | null
      refused_code: string
    }
    it(`${name} is accepted and has its digest`, () => {
      expect(parse(value(name))).toBe(expected.digest)
    })
    const refused = parseJson(read(`${name}/refused.json`)) as { name: string; value: JsonValue }[]
    it.each(refused)(`${name} with $name is refused`, ({ value: wrong }) => {
      expect(codeOf(() => parse(wrong))).toBe(expected.refused_code)
    })
  }
})

describe('signatures of the example session', () => {
  const bundle = parseBundle(value('bundle'))

  it('verify under the keys of the keyset and the participants', () => {
    verifyReceipt(bundle.receipt, receiptKey)
    if (bundle.offer === null) throw new Error('the example has an offer')
    verifyOffer(bundle.offer, receiptKey)
    for (const [index, consent] of bundle.consents.entries()) {
      const party = bundle.offer.participants[index]
      if (consent === null || party === undefined) throw new Error('the example has both consents')
      verifyConsent(consent, parseDid(party.did).publicKey)
    }
    verifyBinding('software', bundle.evidence.binding, keysetLeaf(keyset, null), {
      keysetDigest: keysetDigest(keyset),
      receiptKey,
    })
    const path = bundle.hardware_path.binding
    if (path === null) throw new Error('the example has a hardware path')
    verifyBinding('software', path, receiptLeaf(receiptCore(bundle.receipt)), {
      keysetDigest: keysetDigest(keyset),
      receiptKey,
    })
  })

  it('are refused under another key', () => {
    expect(
      codeOf(() => {
        verifyReceipt(bundle.receipt, otherKey)
      }),
    ).toBe('signature_invalid')
    expect(codeOf(() => verifyRefusal(value('refusal'), otherKey))).toBe('signature_invalid')
    expect(codeOf(() => verifyLedgerEntry(value('ledger-entry'), otherKey))).toBe('signature_invalid')
  })

  it('are refused in the other lane', () => {
    const { ledger } = parseJoinRequest(claimIn(value('ledger-claim')))
    const owner = parseDid(ledger.owner).publicKey
    verifyLedgerClaim('software', ledger, owner)
    expect(
      codeOf(() => {
        verifyLedgerClaim('confidential', ledger, owner)
      }),
    ).toBe('signature_invalid')
    const relabelled = { ...bundle.receipt, lane: 'confidential' as const }
    expect(
      codeOf(() => {
        verifyReceipt(relabelled, receiptKey)
      }),
    ).toBe('signature_invalid')
  })

  it('the checkpoint opens under the log key and no other', () => {
    const note = read('checkpoint.txt')
    const origin = logOrigin(keyset.epoch)
    expect(openCheckpoint(note, { origin, publicKey: otherKey }).size).toBe(2)
    expect(codeOf(() => openCheckpoint(note, { origin, publicKey: receiptKey }))).not.toBe('accepted')
    expect(codeOf(() => openCheckpoint(`${note} `, { origin, publicKey: otherKey }))).not.toBe('accepted')
  })
})

describe('a body without members', () => {
  it.each([[[]], [null], ['{}'], [0]])('is refused where it is %j and no object', (body) => {
    expect(codeOf(() => parseCancelRequest(body))).toBe('object_malformed')
  })
})

describe('a ledger entry', () => {
  it.each([
    [MOST_LEDGER_SEQ, 'accepted'],
    [MOST_LEDGER_SEQ + 1, 'object_malformed'],
  ])('with seq %i is %s', (seq, code) => {
    const { signature: _, ...entry } = verifyLedgerEntry(value('ledger-entry'), receiptKey)
    const key = signingKeyFromSeed(new Uint8Array(32).fill(7))
    expect(codeOf(() => verifyLedgerEntry(signLedgerEntry({ ...entry, seq }, key), key.publicKey))).toBe(code)
  })
})
