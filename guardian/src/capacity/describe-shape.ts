import type { ArrayShape, IntegerShape, ObjectShape, Shape, StringShape } from '../schema/shape.js'

/** A shape in words and numbers, without the texts of its schema and without what is below it. */
export const describeShape = (shape: Shape): string => {
  switch (shape.kind) {
    case 'any':
      return 'any value'
    case 'scalars':
      return counted(shape.scalars.size, 'listed value')
    case 'integer':
      return describeInteger(shape)
    case 'string':
      return describeString(shape)
    case 'array':
      return describeArray(shape)
    case 'object':
      return describeObject(shape)
    case 'union':
      return `one of ${counted(shape.branches.length, 'alternative')} that have no value in common: their sum`
  }
}

const describeInteger = ({ lowest, highest, step }: IntegerShape): string =>
  `integers from ${lowest} to ${highest}${step === 1 ? '' : `, each a multiple of ${step}`}`

const describeString = ({ shortest, longest, language }: StringShape): string => {
  const most = longest === Infinity ? 'any number of' : `at most ${longest}`
  return `texts of at least ${shortest} and ${most} characters${language === null ? '' : ' that match a pattern'}`
}

const describeArray = ({ fewest, most, unique }: ArrayShape): string =>
  `arrays of ${fewest === most ? most : `${fewest} to ${most}`} items${unique ? ', none twice' : ''}`

const describeObject = ({ members, fewest, most, needs }: ObjectShape): string => {
  const ruled = fewest > 0 || most < members.size || needs.length > 0
  return ruled
    ? `objects of ${counted(members.size, 'member')} with rules on which go together`
    : `objects of ${counted(members.size, 'member')}: their product`
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
