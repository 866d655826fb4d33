import { expect, test } from 'vitest'
import {
  type BootRecord,
  parseBootEvidence,
  ProtocolError,
  qualifyingDataOf,
  toBase64url,
  toHex,
} from '../../src/index.js'

const some = (size: number): string => toBase64url(new Uint8Array(size).fill(1))
const RECORD: BootRecord = { ak_public: some(88), ak_certificates: [some(400)], event_log: some(3000) }
const EVIDENCE = { ...RECORD, quote: some(145), signature: some(72) }
const QUOTED = { report_digest: '1a'.repeat(32), keyset_digest: '2b'.repeat(32) }

const codeOf = (value: Parameters<typeof parseBootEvidence>[0]): string | null => {
  try {
    parseBootEvidence(value)
    return null
  } catch (error) {
    return error instanceof ProtocolError ? error.code : 'another error'
  }
}

test('boot evidence is read as it is', () => {
  expect(parseBootEvidence({ ...EVIDENCE, ak_certificates: [...RECORD.ak_certificates] })).toEqual(EVIDENCE)
})

test.each([
  ['five certificates', { ak_certificates: new Array<string>(5).fill(some(400)) }],
  ['a log of over 64 KiB', { event_log: some(65_539) }],
  ['a quote of over 1 KiB', { quote: some(1_027) }],
  ['an empty signature', { signature: '' }],
  ['padding', { signature: `${some(72)}=` }],
  ['a member more', { pcrs: [] }],
])('boot evidence with %s is object_malformed', (_, change) => {
  expect(codeOf({ ...EVIDENCE, ak_certificates: [...RECORD.ak_certificates], ...change })).toBe(
    'object_malformed',
  )
})

test('qualifying data changes with report, keyset, lane, and each part of the record', () => {
  const all = [
    qualifyingDataOf('confidential', QUOTED, RECORD),
    qualifyingDataOf('software', QUOTED, RECORD),
    qualifyingDataOf('confidential', { ...QUOTED, report_digest: QUOTED.keyset_digest }, RECORD),
    qualifyingDataOf('confidential', { ...QUOTED, keyset_digest: QUOTED.report_digest }, RECORD),
    qualifyingDataOf('confidential', QUOTED, { ...RECORD, ak_public: some(89) }),
    qualifyingDataOf('confidential', QUOTED, { ...RECORD, ak_certificates: [] }),
    qualifyingDataOf('confidential', QUOTED, { ...RECORD, event_log: some(3001) }),
  ].map(toHex)
  expect(new Set(all).size).toBe(all.length)
  expect(all.every((digest) => digest.length === 64)).toBe(true)
})

test('qualifying data ignores what the quote itself holds, which cannot be known before it is made', () => {
  const { quote: _, ...rest } = EVIDENCE
  expect(toHex(qualifyingDataOf('confidential', QUOTED, rest))).toBe(
    toHex(qualifyingDataOf('confidential', QUOTED, RECORD)),
  )
})
