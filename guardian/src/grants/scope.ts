import * as v from 'valibot'
import { eachOnce } from '../each-once.js'

const PART = '(?:\\*|[A-Za-z0-9][A-Za-z0-9._-]{0,63})'
const SCOPE = new RegExp(`^!?${PART}:${PART}:${PART}$`)
const CONCRETE = /^[^!*]+$/

/** `service:resource:action`, each part a name or `*`; with `!` before it, what is denied whatever else is granted. */
export const scope = v.pipe(v.string(), v.regex(SCOPE))

/** The scopes of a grant. */
export const scopes = v.pipe(
  v.array(scope),
  v.minLength(1),
  v.maxLength(64),
  v.check((all) => eachOnce(all), 'each once'),
)

type Parts = readonly string[]
type Sides = { readonly granted: readonly Parts[]; readonly denied: readonly Parts[] }

const sidesOf = (all: readonly string[]): Sides => ({
  granted: all.filter((each) => !each.startsWith('!')).map((each) => each.split(':')),
  denied: all.filter((each) => each.startsWith('!')).map((each) => each.slice(1).split(':')),
})

const covers = (wide: Parts, narrow: Parts): boolean =>
  wide.every((part, at) => part === '*' || part === narrow[at])

/** What both cover; undefined where that is nothing. */
const meet = (one: Parts, other: Parts): Parts | undefined => {
  const parts = one.map((part, at) => (part === '*' ? (other[at] ?? part) : part))
  return covers(one, parts) && covers(other, parts) ? parts : undefined
}

/** True if the scopes grant one action, named without `*`, and none of them denies it. */
export const isInScope = (asked: string, all: readonly string[]): boolean => {
  if (![asked, ...all].every((each) => SCOPE.test(each)) || !CONCRETE.test(asked)) return false
  const parts = asked.split(':')
  const { granted, denied } = sidesOf(all)
  return granted.some((each) => covers(each, parts)) && !denied.some((each) => covers(each, parts))
}

/**
 * True if whatever the child's scopes grant, the parent's grant too. Each of the child's must lie in a single one of the
 * parent's, and what the parent denies in it must be denied by a single one of the child's: a union that would do is not
 * looked for.
 */
export const isWithinScope = (child: readonly string[], parent: readonly string[]): boolean => {
  const [inner, outer] = [sidesOf(child), sidesOf(parent)]
  const isDeniedInside = (part: Parts | undefined): boolean =>
    part === undefined || inner.denied.some((each) => covers(each, part))
  return inner.granted.every(
    (granted) =>
      outer.granted.some((each) => covers(each, granted)) &&
      outer.denied.every((each) => isDeniedInside(meet(each, granted))),
  )
}
