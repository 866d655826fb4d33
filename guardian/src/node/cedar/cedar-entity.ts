import type { EntityJson } from '@cedar-policy/cedar-wasm/nodejs'
import type { AttributeValue, PolicyEntity } from '@parley/guardian'

/** An entity as Cedar reads it; its attributes are checked against the schema there. */
export const entityOf = ({ type, id, attributes }: PolicyEntity): EntityJson => ({
  uid: { type, id },
  attrs: Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, copyOf(value)])),
  parents: [],
})

const copyOf = (value: AttributeValue): string | number | boolean | string[] =>
  typeof value === 'object' ? [...value] : value
