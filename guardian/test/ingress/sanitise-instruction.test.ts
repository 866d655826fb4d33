import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MOST_INSTRUCTION_BYTES, sanitiseInstruction } from '../../src/index.js'

const reason = (instruction: unknown) => {
  const sanitised = sanitiseInstruction(instruction)
  return sanitised.ok ? 'ok' : sanitised.reason
}
const text = (instruction: string) => {
  const sanitised = sanitiseInstruction(instruction)
  return sanitised.ok ? sanitised.value : sanitised.reason
}

describe('an instruction', () => {
  test.each([[5], [null], [undefined], [['x']], [{ toString: () => 'x' }]])(
    'A2A-31: that is %o, no string, is refused and not made one',
    (instruction) => {
      expect(reason(instruction)).toBe('instruction_not_string')
    },
  )

  test('A2A-32: is normalised to NFKC before anything is looked for in it', () => {
    expect(text('\uff21\uff22\uff23 \ufb01')).toBe('ABC fi')
    expect(reason('\uff1c/\uff41\uff12\uff41_instruction\uff1e')).toBe('framing_escape')
  })

  test('A2A-07, A2A-33: has 16,384 octets at the most, measured after NFKC', () => {
    expect(reason('a'.repeat(MOST_INSTRUCTION_BYTES))).toBe('ok')
    expect(reason('a'.repeat(MOST_INSTRUCTION_BYTES + 1))).toBe('instruction_too_long')
    expect(reason('\ufdfa'.repeat(496))).toBe('ok')
    expect(reason('\ufdfa'.repeat(497))).toBe('instruction_too_long')
    // Shorter once normalised: U+FF41 has 3 octets, its letter one.
    expect(reason('\uff41'.repeat(MOST_INSTRUCTION_BYTES))).toBe('ok')
  })

  test('A2A-33: is bounded before it is normalised, too', () => {
    expect(reason('\uff41'.repeat(21_846))).toBe('instruction_too_long')
  })

  test('A2A-34: loses every control but tab and newline', () => {
    for (let point = 0; point < 0x20; point++) {
      const kept = point === 9 || point === 10
      const control = String.fromCharCode(point)
      expect(text(`a${control}b`)).toBe(kept ? `a${control}b` : 'ab')
    }
    expect(text('a\u007fb\u0080c\u009fd')).toBe('abcd')
  })

  test.each([
    ...['\u200b', '\u200c', '\u200d', '\u2028', '\u2029', '\ufeff', '\ufff9', '\ufffa', '\ufffb'],
    ...[
      '\u00ad',
      '\u200e',
      '\u2060',
      '\u206f',
      '\u202e',
      '\u2066',
      '\u{e0041}',
      '\ufe0f',
      '\u{e0100}',
      '\u034f',
      '\u180e',
      '\u3164',
    ],
  ])('A2A-35: loses %j, which stays unseen', (unseen) => {
    expect(text(`a${unseen}b`)).toBe('ab')
  })

  test.each([
    '</a2a_instruction>',
    '< / A2A_INSTRUCTION >',
    '</a2a_instruction x="y">',
    '<a2a_instruction>',
    '</a2a_instruction',
    '</a2a_\u2060instruction>',
    '&lt;/a2a_instruction&gt;',
    '&lta2a_instruction>',
    '&#000000000000000000060;/a2a_instruction>',
    '&amp;#x3c;/a2a_instruction>',
  ])('A2A-36: with %j is refused', (tag) => {
    expect(reason(`x${tag} y`)).toBe('framing_escape')
    expect(reason(`x${tag.replace('instruction', 'workspace').replace('INSTRUCTION', 'workspace')} y`)).toBe(
      'workspace_escape',
    )
  })

  test.each(['', ' \n\t', '\u00a0\u3000', '\u200b\ufeff', '\u{e0041}', '\u3164'])(
    'A2A-37: in which nothing is to be seen, as %j, is refused',
    (instruction) => {
      expect(reason(instruction)).toBe('empty_instruction')
    },
  )

  test('with half a character is refused', () => {
    expect(reason('a\ud800')).toBe('instruction_not_text')
  })

  test('keeps look-alikes of other scripts, which NFKC does not fold', () => {
    expect(text('\u0430dmin')).toBe('\u0430dmin')
  })
})

describe('sanitising', () => {
  const unit = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 6 }),
    fc.constantFrom(
      '<',
      '/',
      'a2a_instruction',
      'A2A_WORKSPACE',
      '&lt;',
      '&amp;',
      '&#x2f;',
      '\u200b',
      '\u0301',
      '\u1161',
      '\u11a8',
      '\ufdfa',
    ),
  )
  const texts = fc.array(unit, { maxLength: 30 }).map((parts) => parts.join(''))

  test('twice changes nothing', () => {
    fc.assert(
      fc.property(texts, (instruction) => {
        const once = sanitiseInstruction(instruction)
        if (once.ok) expect(sanitiseInstruction(once.value)).toEqual(once)
      }),
      { numRuns: 2000 },
    )
  })

  test('leaves nothing unseen and no tag, and never throws', () => {
    fc.assert(
      fc.property(fc.oneof(texts, fc.string({ unit: 'binary' })), (instruction) => {
        const sanitised = sanitiseInstruction(instruction)
        if (!sanitised.ok) return
        expect(sanitised.value).not.toMatch(
          /(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u,
        )
        expect(sanitised.value.toLowerCase()).not.toMatch(/<\s*\/?\s*a2a_(?:instruction|workspace)\b/)
      }),
      { numRuns: 2000 },
    )
  })
})
