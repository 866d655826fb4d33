import type { OutputShape } from '@parley/guardian'
import { canonicalize } from '@parley/protocol'

type Shape = OutputShape['root']
type Pieces = Iterable<string>

/** What an output may be, a line for each of its members: a name, and the values or bounds that are admitted. */
export const outputLines = ({ root }: OutputShape): readonly string[] =>
  root.kind === 'object'
    ? [...root.members].map(
        ([name, { shape, required }]) => `${name}: ${shapeText(shape)}${required ? '' : ', or left out'}`,
      )
    : [shapeText(root)]

// Shapes are shared: written out whole, a small schema can be longer than any memory.
const MOST_CHARACTERS = 1024

const shapeText = (shape: Shape): string => {
  let text = ''
  for (const piece of pieces(shape)) {
    if (text.length + piece.length > MOST_CHARACTERS) return `${text}...`
    text += piece
  }
  return text
}

function* pieces(shape: Shape): Pieces {
  switch (shape.kind) {
    case 'any':
      yield 'any value'
      break
    case 'scalars':
      yield* joined(shape.scalars, ' ', (scalar) => [canonicalize(scalar)])
      break
    case 'integer':
      yield integerText(shape)
      break
    case 'string':
      yield stringText(shape)
      break
    case 'array':
      yield* arrayPieces(shape)
      break
    case 'object':
      yield '{'
      yield* joined(shape.members, '; ', ([name, { shape: member }]) => named(name, member))
      yield '}'
      break
    case 'union':
      yield* joined(shape.branches, ', or ', pieces)
  }
}

function* named(name: string, shape: Shape): Pieces {
  yield `${name}: `
  yield* pieces(shape)
}

const integerText = ({ lowest, highest, step }: Extract<Shape, { kind: 'integer' }>): string =>
  `an integer from ${lowest} to ${highest}${step > 1 ? `, a multiple of ${step}` : ''}`

const stringText = ({ shortest, longest, language }: Extract<Shape, { kind: 'string' }>): string => {
  const length = Number.isFinite(longest) ? `${shortest} to ${longest}` : `at least ${shortest}`
  return `a text of ${length} characters${language === null ? '' : ' of its pattern'}`
}

function* arrayPieces(shape: Extract<Shape, { kind: 'array' }>): Pieces {
  const { fewest, most, unique, prefix, items } = shape
  yield `${fewest} to ${most}${unique ? ' distinct' : ''} of [`
  yield* joined(most > prefix.length ? [...prefix, items] : prefix, '; ', pieces)
  yield ']'
}

function* joined<T>(items: Iterable<T>, between: string, write: (item: T) => Pieces): Pieces {
  let first = true
  for (const item of items) {
    if (!first) yield between
    first = false
    yield* write(item)
  }
}
