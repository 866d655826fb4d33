import type { OutputShape } from '@parley/guardian'
import { canonicalize } from '@parley/protocol'

type Shape = OutputShape['root']

/** What an output may be, a line for each of its members: a name, and the values or bounds that are admitted. */
export const outputLines = ({ root }: OutputShape): readonly string[] =>
  root.kind === 'object'
    ? [...root.members].map(
        ([name, { shape, required }]) => `${name}: ${shapeText(shape)}${required ? '' : ', or left out'}`,
      )
    : [shapeText(root)]

const shapeText = (shape: Shape): string => {
  switch (shape.kind) {
    case 'scalars':
      return [...shape.scalars].map((scalar) => canonicalize(scalar)).join(' ')
    case 'integer':
      return `an integer from ${shape.lowest} to ${shape.highest}`
    case 'string':
      return `a text of ${shape.shortest} to ${shape.longest} characters`
    case 'array':
      return `${shape.fewest} to ${shape.most}${shape.unique ? ' distinct' : ''} of [${shapeText(shape.items)}]`
    case 'object':
      return `{${[...shape.members].map(([name, { shape: member }]) => `${name}: ${shapeText(member)}`).join('; ')}}`
  }
}
