import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sha256 } from '../src/digest.js'
import { generateSigningKey } from '../src/ed25519.js'
import { openCheckpoint, signCheckpoint } from '../src/signed-note.js'
import { codeOf } from './code-of.js'

const key = generateSigningKey()
const origin = 'relay.example/log'
const head = { size: 7, root: sha256(new Uint8Array(3)) }
const text = signCheckpoint({ origin, ...head }, key)
const expected = { origin, publicKey: key.publicKey }
const lines = text.split('\n')

describe('checkpoints', () => {
  it('open to the head that was signed, at every size', () => {
    const size = fc.nat({ max: Number.MAX_SAFE_INTEGER })
    fc.assert(
      fc.property(size, fc.uint8Array({ minLength: 32, maxLength: 32 }), (leaves, root) => {
        expect(openCheckpoint(signCheckpoint({ origin, size: leaves, root }, key), expected)).toEqual({
          size: leaves,
          root,
        })
      }),
      { numRuns: 30 },
    )
  })

  it('any other character is refused', () => {
    const change = fc.tuple(fc.nat(text.length), fc.constantFrom('', 'A', '7', '\n', ' ', '=', 'é'))
    fc.assert(
      fc.property(change, ([at, character]) => {
        const changed = text.slice(0, at) + character + text.slice(at + 1)
        fc.pre(changed !== text)
        return ['note_malformed', 'signature_invalid'].includes(
          codeOf(() => openCheckpoint(changed, expected)),
        )
      }),
      { numRuns: 300 },
    )
  })

  it.each([
    ['nothing', ''],
    ['no signature', lines.slice(0, 4).join('\n')],
    ['no line break at the end', text.slice(0, -1)],
    ['one more line break', `${text}\n`],
    ['a second signature', `${text}${lines[4] ?? ''}\n`],
    ['an extension line', text.replace('\n\n', '\nextension\n\n')],
    ['a leading zero in the size', text.replace('\n7\n', '\n07\n')],
    ['a sign in the size', text.replace('\n7\n', '\n+7\n')],
    ['a size beyond the integers', text.replace('\n7\n', '\n9007199254740993\n')],
    ['a hyphen for the dash', text.replace('—', '-')],
    ['carriage returns', text.replaceAll('\n', '\r\n')],
    ['a root without padding', text.replace('=\n\n', '\n\n')],
    ['a root of 31 bytes', text.replace(lines[2] ?? '', Buffer.alloc(31).toString('base64'))],
  ])('%s is refused as note_malformed', (_, changed) => {
    expect(codeOf(() => openCheckpoint(changed, expected))).toBe('note_malformed')
  })

  it.each([
    ['another key', { ...expected, publicKey: generateSigningKey().publicKey }],
    ['another origin', { ...expected, origin: 'relay.example/other' }],
  ])('%s is refused as signature_invalid', (_, other) => {
    expect(codeOf(() => openCheckpoint(text, other))).toBe('signature_invalid')
  })

  it('a signature under another name, size or root is refused as signature_invalid', () => {
    const other = signCheckpoint({ origin: 'relay.example/other', ...head }, key)
    for (const changed of [
      text.replace('\n7\n', '\n8\n'),
      lines.slice(0, 4).join('\n') + '\n' + (other.split('\n')[4] ?? '') + '\n',
    ])
      expect(codeOf(() => openCheckpoint(changed, expected))).toBe('signature_invalid')
  })

  it.each([
    ['an empty origin', { ...head, origin: '' }],
    ['a space in the origin', { ...head, origin: 'a b' }],
    ['a plus in the origin', { ...head, origin: 'a+b' }],
    ['a line break in the origin', { ...head, origin: 'a\nb' }],
    ['a negative size', { ...head, origin, size: -1 }],
    ['a size that is no integer', { ...head, origin, size: 1.5 }],
    ['a short root', { ...head, origin, root: new Uint8Array(31) }],
  ])('%s is not signed', (_, unsound) => {
    expect(codeOf(() => signCheckpoint(unsound, key))).toBe('note_malformed')
  })
})
