import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from '@parley/protocol'
import { objectAt, readObject } from '../../../scripts/src/demo/json-object.js'

/** A package as npm placed it. */
export type Package = {
  readonly name: string
  readonly version: string
  /** Where it lies, relative to the repository. */
  readonly place: string
  /** Subresource integrity, as the lockfile pins it; null for a room of this repository. */
  readonly integrity: string | null
  readonly license: string | null
}

/** The packages of a lockfile by their place. */
export type Lock = JsonObject

/** Reads the lockfile of a repository. */
export const readLock = (root: string): Lock =>
  objectAt(readObject(join(root, 'package-lock.json')), 'packages')

/**
 * A room and all that it needs at run time, each once: what the lockfile names, and no development dependency.
 * @param isInstalled whether npm has put an optional package there: most are for other machines
 * @throws Error where the lockfile does not place something
 */
export const packagesOf = (
  lock: Lock,
  room: string,
  isInstalled: (place: string) => boolean,
): readonly Package[] => {
  const found = new Map<string, Package>()
  const visit = (place: string): void => {
    if (found.has(place)) return
    const locked = objectAt(lock, place)
    found.set(place, packageAt(place, locked))
    for (const name of namesIn(locked, 'dependencies')) visit(placeOf(lock, place, name))
    for (const name of namesIn(locked, 'optionalDependencies')) {
      const optional = findPlace(lock, place, name)
      if (optional !== undefined && isInstalled(optional)) visit(optional)
    }
  }
  visit(room)
  return [...found.values()].sort((one, other) => (one.place < other.place ? -1 : 1))
}

/** Whether there is such a folder in a repository. */
export const installedIn =
  (root: string) =>
  (place: string): boolean =>
    existsSync(join(root, place))

const namesIn = (locked: JsonObject, member: string): readonly string[] =>
  member in locked ? Object.keys(objectAt(locked, member)) : []

const placeOf = (lock: Lock, from: string, name: string): string => {
  const place = findPlace(lock, from, name)
  if (place === undefined) throw new Error(`${from} needs ${name}, which the lockfile does not place`)
  return place
}

/** As Node looks for it: in the nearest node_modules on the way up, where a room stands as a link. */
const findPlace = (lock: Lock, from: string, name: string): string | undefined => {
  const place = foldersUpFrom(from)
    .map((folder) => join(folder, 'node_modules', name))
    .find((each) => each in lock)
  if (place === undefined) return undefined
  const { link, resolved } = objectAt(lock, place)
  return link === true && typeof resolved === 'string' ? resolved : place
}

const foldersUpFrom = (place: string): readonly string[] => {
  const parts = place.split('/')
  return [...parts.map((_, at) => parts.slice(0, parts.length - at).join('/')), '']
}

const packageAt = (place: string, locked: JsonObject): Package => ({
  name: textIn(locked, 'name') ?? place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length),
  version: textIn(locked, 'version') ?? '',
  place,
  integrity: textIn(locked, 'integrity'),
  license: textIn(locked, 'license'),
})

const textIn = (locked: JsonObject, member: string): string | null => {
  const value = locked[member]
  return typeof value === 'string' ? value : null
}
