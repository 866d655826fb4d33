import { toBase64, utf8 } from '@parley/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  attach,
  type Attachment,
  checkAttachments,
  isAttachmentName,
  MOST_ATTACHMENT_BYTES,
  MOST_ATTACHMENTS,
} from '../../src/index.js'

const file = (change: Partial<Attachment> = {}): Attachment => ({
  ...attach({ name: 'a.txt', mime: 'text/plain', bytes: utf8('hello') }),
  ...change,
})
const reason = (...files: Attachment[]) => {
  const checked = checkAttachments(files)
  return checked.ok ? 'ok' : checked.reason
}
const many = (count: number, size: number) =>
  Array.from({ length: count }, (_, at) =>
    attach({ name: `f${String(at)}`, mime: 'a/b', bytes: new Uint8Array(size) }),
  )

describe('attachments', () => {
  test('are opened with the label INTERNAL where they have none', () => {
    const checked = checkAttachments([file()])
    expect(checked).toMatchObject({ ok: true, value: [{ name: 'a.txt', classification: 'INTERNAL' }] })
    expect(checked.ok && checked.value[0]?.bytes).toEqual(utf8('hello'))
  })

  test('A2A-08: are 16 at the most', () => {
    expect(reason(...many(MOST_ATTACHMENTS, 1))).toBe('ok')
    expect(reason(...many(MOST_ATTACHMENTS + 1, 1))).toBe('attachments_too_many')
  })

  test('A2A-08: have 1,048,576 octets at the most, all together', () => {
    expect(reason(...many(16, MOST_ATTACHMENT_BYTES / 16))).toBe('ok')
    expect(reason(...many(1, MOST_ATTACHMENT_BYTES), file({ sha256: '00'.repeat(32) }))).toBe(
      'attachments_total_too_large',
    )
    expect(reason(...many(1, MOST_ATTACHMENT_BYTES + 1))).toBe('attachments_total_too_large')
  })

  test('A2A-08: are measured before they are decoded', () => {
    expect(reason(file({ content_b64: '!'.repeat(1_398_104) }))).toBe('attachments_total_too_large')
  })

  test.each(['a', 'a.b', 'A_b-1.tar.gz', '-x', 'x'.repeat(128), 'console.log', 'com10'])(
    'A2A-09: may be named %s',
    (name) => {
      expect(isAttachmentName(name)).toBe(true)
    },
  )

  test.each([
    ...[
      '',
      '.',
      '..',
      '.hidden',
      '../etc/passwd',
      'a/b',
      'a\\b',
      'C:x',
      'a..b',
      'a.txt\n',
      '\na',
      'a\0',
      'a b',
    ],
    ...['x'.repeat(129), 'dots.', 'CON', 'nul.txt', 'COM1', 'lpt9.log', '\u0430.txt', 'a\u200b', 'a%2fb'],
  ])('A2A-09: may not be named %j', (name) => {
    expect(reason(file({ name }))).toBe('attachment_name_invalid')
  })

  test('A2A-09: have names that differ by more than case', () => {
    expect(reason(file(), file({ name: 'A.TXT' }))).toBe('attachment_name_repeated')
  })

  test.each([
    ['another digest', { sha256: '00'.repeat(32) }],
    ['other octets', { content_b64: toBase64(utf8('hellp')) }],
    ['no octets', { content_b64: '' }],
  ])('A2A-10: with %s are refused', (_, change) => {
    expect(reason(file(change))).toBe('attachment_digest_mismatch')
  })

  test.each(['aGVsbG8', 'aGVsbG8=\n', 'aGVsbG9=', 'aGVs_G8=', '====', ' '])(
    'A2A-10: with %j for base64 are refused',
    (content_b64) => {
      expect(reason(file({ content_b64 }))).toBe('attachment_content_malformed')
    },
  )

  test.each(['CONFIDENTAL', 'secret', '', 'TOP SECRET'])(
    'with the label %j are refused',
    (classification) => {
      expect(reason(file({ classification }))).toBe('attachment_classification_unknown')
    },
  )

  test('of any members are opened or refused, never thrown', () => {
    const any = fc.record({
      name: fc.string(),
      mime: fc.string(),
      sha256: fc.string(),
      content_b64: fc.string(),
      classification: fc.string(),
    })
    fc.assert(
      fc.property(
        fc.array(any, { maxLength: 18 }),
        (files) => files.length === 0 || !checkAttachments(files).ok,
      ),
    )
  })

  test('A2A-10: come out as they went in', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        const checked = checkAttachments([
          attach({ name: 'x', mime: 'a/b', bytes, classification: 'SECRET' }),
        ])
        expect(checked).toMatchObject({ ok: true, value: [{ classification: 'SECRET' }] })
        expect(checked.ok && checked.value[0]?.bytes).toEqual(bytes)
      }),
    )
  })
})
