import { type AuditOpening, logOrigin, signCheckpoint } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { failures, judge, judgeBytes, notRun } from '../judge.js'
import { KEYS, keysetOf, mintBundle, toBytes } from '../minted-bundle.js'

const ended =
  (change: object) =>
  (honest: AuditOpening): AuditOpening => ({
    ...honest,
    entry: { ...honest.entry, fields: { ...honest.entry.fields, ...change } } as AuditOpening['entry'],
  })

describe('the audit proof in a bundle', () => {
  it.each<[string, object]>([
    ['another session', { session_id: 'e'.repeat(64) }],
    ['another transcript', { transcript_hash: 'e'.repeat(64) }],
    ['another outcome', { outcome: { status: 'ABORTED', abort_class: 'EXPIRED' } }],
  ])('is refused where the entry in the log is of %s', async (_, change) => {
    const verdict = await judge({ ended: ended(change) })
    expect(verdict.exit_code).toBe(4)
    expect(failures(verdict)).toEqual({ audit_entry: 'audit_mismatch' })
  })

  it('is refused where the opened entry is not the leaf', async () => {
    const honest = await mintBundle('software', null)
    const { audit } = honest.openings
    if (audit === null) throw new Error('no audit')
    const opening = { ...audit, entry: { ...audit.entry, at: audit.entry.at + 1 } }
    const verdict = await judgeBytes(toBytes({ ...honest, openings: { ...honest.openings, audit: opening } }))
    expect(failures(verdict)).toEqual({ audit_entry: 'audit_mismatch' })
  })

  it('is refused where the opened entry is another event', async () => {
    const verdict = await judge({
      ended: (honest) => ({
        ...honest,
        entry: {
          ...honest.entry,
          event: 'session.created',
          fields: { session_id: 'e'.repeat(64), contract_hash: 'e'.repeat(64) },
        },
      }),
    })
    expect(failures(verdict)).toEqual({ audit_entry: 'audit_mismatch' })
  })

  it('says so where the entry was not opened, and proves the leaf all the same', async () => {
    const honest = await mintBundle('software', null)
    const verdict = await judgeBytes(toBytes({ ...honest, openings: { ...honest.openings, audit: null } }))
    expect(verdict.trusted).toBe(true)
    expect(notRun(verdict)).toMatchObject({ audit_entry: 'audit_not_open' })
  })

  it.each<[string, object, string]>([
    ['another place', { leaf_index: 0 }, 'audit_mismatch'],
    ['a place outside the log', { leaf_index: 2 }, 'tree_malformed'],
    ['a path that is too short', { path: [] }, 'tree_malformed'],
    ['another neighbour', { path: ['0'.repeat(64)] }, 'audit_mismatch'],
    ['another leaf', { leaf_hash: '0'.repeat(64) }, 'audit_mismatch'],
    ['a checkpoint that is none', { checkpoint: 'parley\n1\n' }, 'note_malformed'],
  ])('is refused with %s', async (_, change, code) => {
    const verdict = await judge({ core: (core) => ({ ...core, audit: { ...core.audit, ...change } }) })
    expect(verdict.exit_code).toBe(4)
    expect(failures(verdict)).toMatchObject({ audit_path: code })
  })

  it.each<[string, string, keyof typeof KEYS]>([
    ['another key', logOrigin(keysetOf('software').epoch), 'receipt'],
    ['another origin', logOrigin('0'.repeat(32)), 'log'],
  ])('is refused under the checkpoint of %s', async (_, origin, key) => {
    const checkpoint = signCheckpoint({ origin, size: 2, root: new Uint8Array(32) }, KEYS[key])
    const verdict = await judge({ core: (core) => ({ ...core, audit: { ...core.audit, checkpoint } }) })
    expect(failures(verdict)).toEqual({ audit_path: 'signature_invalid' })
  })
})
