import { isWellFormed, utf8 } from '@parley/protocol'
import { decodeEntities } from './decode-entities.js'
import { type Checked, no, yes } from './ingress-line.js'

/** Octets of UTF-8 that an instruction may have once it is NFKC. */
export const MOST_INSTRUCTION_BYTES = 16_384
// One U+FDFA grows from 3 octets to 33: what is normalised is bounded first.
const MOST_RAW_BYTES = 4 * MOST_INSTRUCTION_BYTES

/** Why an instruction counts as an attempt to inject. */
export type InjectionCode =
  | 'instruction_not_string'
  | 'instruction_not_text'
  | 'instruction_too_long'
  | 'framing_escape'
  | 'workspace_escape'
  | 'empty_instruction'

// Controls, format characters (bidi, zero width, tags), line separators, variation selectors, fillers; not tab and newline.
const UNSEEN = /(?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu
// Opening or closing, with attributes or without: neither may stand inside the frame.
const FRAME_TAG = /<\s*\/?\s*a2a_instruction\b/iu
const WORKSPACE_TAG = /<\s*\/?\s*a2a_workspace\b/iu

/**
 * The text of an instruction as a model may see it: NFKC, nothing unseen but tab and newline, no tag of the frame, also
 * not one that is written in character references. Sanitising twice changes nothing. Look-alikes of other scripts stay:
 * NFKC doesn't fold them.
 * @see protocol SPEC "Corvin A2A v4"
 */
export const sanitiseInstruction = (instruction: unknown): Checked<string, InjectionCode> => {
  if (typeof instruction !== 'string') return no('instruction_not_string')
  if (!isWellFormed(instruction)) return no('instruction_not_text')
  if (utf8(instruction).length > MOST_RAW_BYTES) return no('instruction_too_long')
  const normal = instruction.normalize('NFKC')
  if (utf8(normal).length > MOST_INSTRUCTION_BYTES) return no('instruction_too_long')
  const seen = withoutUnseen(normal)
  for (const reading of [seen, withoutUnseen(decodeEntities(seen).normalize('NFKC'))]) {
    if (FRAME_TAG.test(reading)) return no('framing_escape')
    if (WORKSPACE_TAG.test(reading)) return no('workspace_escape')
  }
  return seen.trim() === '' ? no('empty_instruction') : yes(seen)
}

/** What goes may have kept a mark from its letter, so the rest is composed again; then nothing more can go. */
const withoutUnseen = (normal: string): string => normal.replace(UNSEEN, '').normalize('NFKC')
