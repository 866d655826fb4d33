import { isJsonArray, type JsonValue } from '@parley/protocol'
import { readLeast, readMost } from './read-limit.js'
import { nothing, type Shape } from './shape.js'
import type { Conjuncts, Place, SchemaSite } from './site.js'

/** What one schema says of items: by position, then of all the rest. */
type Items = { readonly prefix: readonly Place[]; readonly rest: Place | null }

/** Arrays of `items`, after `prefixItems` (in draft-07: `additionalItems`, after a list of `items`). */
export const compileArray = ({ sites, at, compile }: Conjuncts): Shape => {
  const all = sites.map(readItems)
  const fewest = readLeast(sites, 'minItems')
  const most = all.reduce((length, items) => Math.min(length, mostOf(items)), readMost(sites, 'maxItems'))
  // Each is read, whether or not another says that items are unique.
  const unique = sites.map(readUnique).includes(true)
  const listed = all.reduce((length, { prefix }) => Math.max(length, prefix.length), 0)
  const prefix = Array.from({ length: Math.min(listed, most) }, (_, index) =>
    compile(placesAt(all, index), at),
  )
  const items = most <= listed ? nothing(at) : compile(placesAt(all, listed), at)
  return fewest > most ? nothing(at) : { kind: 'array', at, prefix, items, fewest, most, unique }
}

const placesAt = (all: readonly Items[], index: number): readonly Place[] =>
  all.map(({ prefix, rest }) => prefix[index] ?? rest).filter((place) => place !== null)

/** An array ends before the first position that admits nothing by word. */
const mostOf = ({ prefix, rest }: Items): number => {
  const barred = prefix.findIndex(({ schema }) => schema === false)
  if (barred !== -1) return barred
  return rest?.schema === false ? prefix.length : Infinity
}

const readItems = (site: SchemaSite): Items => {
  const items = site.read('items')
  const [listKeyword, restKeyword] =
    items !== undefined && isJsonArray(items) ? ['items', 'additionalItems'] : ['prefixItems', 'items']
  const unread = restKeyword === 'items' ? 'additionalItems' : 'prefixItems'
  if (site.read(unread) !== undefined) site.refuse('keyword_unsupported', unread)
  const list = site.read(listKeyword)
  const rest = site.read(restKeyword)
  return {
    prefix: list === undefined ? [] : placesOf(site, list, listKeyword),
    rest: rest === undefined ? null : site.place(rest, restKeyword),
  }
}

const placesOf = (site: SchemaSite, list: JsonValue, keyword: string): readonly Place[] => {
  if (isJsonArray(list) && list.length > 0)
    return list.map((schema, index) => site.place(schema, keyword, index))
  site.refuse('schema_malformed', keyword)
  return []
}

const readUnique = (site: SchemaSite): boolean => {
  const unique = site.read('uniqueItems') ?? false
  if (typeof unique !== 'boolean') site.refuse('schema_malformed', 'uniqueItems')
  return unique === true
}
