import type { Attribute, AttributeType, Block, NestedBlock } from './block.js'

/** The two files that the CDK's generator wrote for one resource. */
export type Binding = { readonly js: string; readonly dts: string }

type Argument = { readonly name: string; readonly value: string; readonly isBlock: boolean } & Kind
type Kind = { readonly type: string; readonly storage: string }
type Member = { readonly optional: boolean; readonly isArray: boolean }

const STORED: Readonly<Record<string, AttributeType>> = {
  string: 'string',
  number: 'number',
  boolean: 'bool',
  stringList: ['list', 'string'],
  numberList: ['list', 'number'],
  stringMap: ['map', 'string'],
  numberMap: ['map', 'number'],
  booleanMap: ['map', 'bool'],
}

const GETTER: Readonly<Record<string, AttributeType>> = {
  getStringAttribute: 'string',
  getNumberAttribute: 'number',
  getBooleanAttribute: 'bool',
  getListAttribute: ['list', 'string'],
  getNumberListAttribute: ['list', 'number'],
  getStringMapAttribute: ['map', 'string'],
}

const ARGUMENT =
  /^ {8,16}(\w+): \{\n\s+value: ([\s\S]*?),\n\s+isBlock: (true|false),\n\s+type: "(\w+)",\n\s+storageClassType: "(\w+)",/gm
const COMPUTED = /\n\s+get \w+\(\) \{\n\s+return (?:cdktf\.Fn\.tolist\()?this\.(get\w+Attribute)\('(\w+)'\)/g
const INTERFACE = /export interface (\w+)(?: extends [\w.]+)? \{([\s\S]*?)\n\}/g
const MEMBER = /readonly (\w+)(\??): ([^;]+);/g
const NESTED = /^function (\w+)ToHclTerraform\(struct\) \{([\s\S]*?)\n\}\n/gm

/**
 * The block of one resource. The generator kept names, types, nesting and what is required. It did not keep which
 * optional arguments the provider may also fill in itself, so these count as optional only, but for `id`.
 */
export const readBinding = (binding: Binding): Block => {
  const root = /class (\w+) extends cdktf\.Terraform(?:Resource|Provider)/.exec(binding.js)?.[1]
  const body = /synthesizeHclAttributes\(\) \{([\s\S]*?)\n {4}\}/.exec(binding.js)?.[1]
  if (root === undefined || body === undefined) throw new Error('the binding has no resource class')
  const nested = new Map(
    [...binding.js.matchAll(NESTED)].map(([, name = '', text = '']) => [name, readArguments(text)]),
  )
  const members = new Map(
    [...binding.dts.matchAll(INTERFACE)].map(([, name = '', text = '']) => [name, readMembers(text)]),
  )
  return blockOf(
    { binding, nested, members },
    { list: readArguments(body), type: `${root}Config`, className: root },
  )
}

type Source = {
  readonly binding: Binding
  readonly nested: ReadonlyMap<string, readonly Argument[]>
  readonly members: ReadonlyMap<string, ReadonlyMap<string, Member>>
}
type Place = { readonly list: readonly Argument[]; readonly type: string; readonly className: string }

const blockOf = (source: Source, place: Place): Block => {
  const attributes: Record<string, Attribute> = {}
  const blocks: Record<string, NestedBlock> = {}
  for (const argument of place.list) {
    const member = source.members.get(place.type)?.get(plain(argument.name))
    if (member === undefined) throw new Error(`${place.type} has no member ${argument.name}`)
    const inner = /(\w+)ToHclTerraform/.exec(argument.value)?.[1] ?? ''
    const list = argument.isBlock ? source.nested.get(inner) : undefined
    if (list === undefined) attributes[argument.name] = attributeOf(argument, member)
    else blocks[argument.name] = nestedOf(source, { argument, member, inner, list })
  }
  for (const [name, type] of computedOf(source.binding.js, place.className))
    attributes[name] ??= { type, computed: true }
  return {
    ...(Object.keys(attributes).length > 0 ? { attributes: sorted(attributes) } : {}),
    ...(Object.keys(blocks).length > 0 ? { block_types: sorted(blocks) } : {}),
  }
}

const attributeOf = (argument: Argument, member: Member): Attribute => {
  const type = STORED[argument.storage]
  if (type === undefined) throw new Error(`${argument.name}: unknown type ${argument.storage}`)
  const exact = argument.type === 'set' ? asSet(type) : type
  if (!member.optional) return { type: exact, required: true }
  return { type: exact, optional: true, ...(argument.name === 'id' ? { computed: true as const } : {}) }
}

// The generator stores sets as lists.
const asSet = (type: AttributeType): AttributeType =>
  typeof type === 'string' ? type : ['set', ...type.slice(1)]

type Inner = {
  readonly argument: Argument
  readonly member: Member
  readonly inner: string
  readonly list: readonly Argument[]
}

const nestedOf = (source: Source, { argument, member, inner, list }: Inner): NestedBlock => {
  const type = `${inner.slice(0, 1).toUpperCase()}${inner.slice(1)}`
  const block = blockOf(source, { list, type, className: `${type}OutputReference` })
  if (argument.name === 'timeouts') return { nesting_mode: 'single', block }
  return {
    nesting_mode: argument.type === 'set' ? 'set' : 'list',
    block,
    ...(member.optional ? {} : { min_items: 1 }),
    ...(member.isArray ? {} : { max_items: 1 }),
  }
}

const computedOf = (js: string, className: string): readonly (readonly [string, AttributeType])[] => {
  const start = js.indexOf(`class ${className} extends`)
  if (start < 0) return []
  const body = js.slice(start, js.indexOf('\n}\n', start))
  return [...body.matchAll(COMPUTED)].flatMap(([, getter = '', name = '']) => {
    const type = GETTER[getter]
    return type === undefined ? [] : [[name, type] as const]
  })
}

const readArguments = (text: string): readonly Argument[] =>
  [...text.matchAll(ARGUMENT)].map(([, name = '', value = '', isBlock, type = '', storage = '']) => ({
    name,
    value,
    isBlock: isBlock === 'true',
    type,
    storage,
  }))

const readMembers = (text: string): ReadonlyMap<string, Member> =>
  new Map(
    [...text.matchAll(MEMBER)].map(([, name = '', mark, type = '']) => [
      plain(name),
      { optional: mark === '?', isArray: type.includes('[]') },
    ]),
  )

// The generator's camel case can't be redone: md5hash became Md5Hash.
const plain = (name: string): string => name.replaceAll('_', '').toLowerCase()

const sorted = <T>(record: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)))
