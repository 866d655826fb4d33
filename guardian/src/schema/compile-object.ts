import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '@parley/protocol'
import { pointerTo } from './json-pointer.js'
import { readLeast, readMost } from './read-limit.js'
import { type Member, nothing, type ObjectShape, type Shape } from './shape.js'
import { type Conjuncts, ownMember, type Place, type SchemaSite } from './site.js'

/** What one schema says of members: of the named ones, of all others, and which must be there. */
type Members = {
  readonly site: SchemaSite
  readonly named: JsonObject
  readonly others: Place | null
  readonly required: ReadonlySet<string>
}

/** Objects of `properties`; what is not in `required` may be absent. */
export const compileObject = (conjuncts: Conjuncts): Shape => {
  const { sites, at } = conjuncts
  const all = sites.map(readMembers)
  const members = compileMembers(all, conjuncts)
  const others = compileOthers(all, conjuncts)
  const needs = sites.flatMap(readNeeds)
  const fewest = readLeast(sites, 'minProperties')
  const most = readMost(sites, 'maxProperties')
  // A member that must be there, and may not be there.
  const barred = all.find(({ required }) => [...required].some((name) => !members.has(name)))
  if (barred !== undefined) return nothing(pointerTo(barred.site.at, 'required'))
  return fewest > most ? nothing(at) : { kind: 'object', at, members, others, fewest, most, needs }
}

const compileMembers = (all: readonly Members[], { compile }: Conjuncts): ReadonlyMap<string, Member> => {
  const members = new Map<string, Member>()
  for (const name of new Set(all.flatMap(({ named, required }) => [...Object.keys(named), ...required]))) {
    const places = all.map((of) => placeOf(of, name)).filter((place) => place !== null)
    const required = all.some((of) => of.required.has(name))
    const [first] = places
    const at = first?.at ?? pointerTo(all[0]?.site.at ?? '', 'required')
    // By word it may not be there.
    if (places.some(({ schema }) => schema === false)) continue
    members.set(name, { shape: compile(places, at), required, at })
  }
  return members
}

const placeOf = ({ site, named, others }: Members, name: string): Place | null => {
  const schema = ownMember(named, name)
  return schema === undefined ? others : site.place(schema, 'properties', name)
}

/** A member without a name in one schema is one of its others, though another schema may know it. */
const compileOthers = (all: readonly Members[], { compile, at }: Conjuncts): ObjectShape['others'] => {
  const places = all.map(({ others }) => others).filter((place) => place !== null)
  const [first] = places
  if (places.some(({ schema }) => schema === false)) return null
  return { shape: compile(places, at), at: first?.at ?? at }
}

const readMembers = (site: SchemaSite): Members => {
  const named = site.read('properties') ?? {}
  if (!isJsonObject(named)) site.refuse('schema_malformed', 'properties')
  const others = site.read('additionalProperties')
  return {
    site,
    named: isJsonObject(named) ? named : {},
    others: others === undefined ? null : site.place(others, 'additionalProperties'),
    required: readNames(site, site.read('required') ?? [], 'required'),
  }
}

const readNeeds = (site: SchemaSite): ObjectShape['needs'] => {
  const needs = site.read('dependentRequired') ?? {}
  if (isJsonObject(needs))
    return Object.entries(needs).map(([name, list]) => ({
      name,
      needed: [...readNames(site, list, 'dependentRequired', name)],
    }))
  site.refuse('schema_malformed', 'dependentRequired')
  return []
}

const readNames = (site: SchemaSite, list: JsonValue, ...path: readonly string[]): ReadonlySet<string> => {
  const names = new Set(isJsonArray(list) ? list.filter((name) => typeof name === 'string') : [])
  if (!isJsonArray(list) || names.size !== list.length) site.refuse('schema_malformed', ...path)
  return names
}
