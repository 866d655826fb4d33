import { type A2aPaths, a2aPaths } from '../a2a/a2a-paths.js'
import { cardOf, type InstanceCard, ownInstanceId } from '../a2a/instance-id.js'
import { type Named, resolveTarget } from '../a2a/resolve-target.js'
import type { Identity } from '../identity.js'
import { type HomeOption, openHome } from './home.js'
import type { Io } from './io.js'

/** A home's Corvin A2A side, and whose it is. */
export type A2aDesk = {
  readonly home: string
  readonly identity: Identity
  readonly card: InstanceCard
  readonly paths: A2aPaths
}

/** Opens it; the instance id is drawn at the first time. @throws AgentError `state_missing` before `parley init` */
export const openA2aDesk = async (options: HomeOption, io: Io): Promise<A2aDesk> => {
  const { home, identity } = await openHome(options, io)
  const paths = a2aPaths(home)
  return { home, identity, paths, card: cardOf(identity, await ownInstanceId(paths.instanceId)) }
}

type Listed = {
  readonly id: string
  readonly found:
    | { readonly ok: true; readonly value: { readonly label: string | null } }
    | { readonly ok: false }
}

/** Which of the listed a person means. @throws AgentError `argument_invalid` */
export const targetOf = <L extends Listed>(text: string, listed: readonly L[]): L => {
  const named: readonly Named[] = listed.map(({ id, found }) => ({
    id,
    label: found.ok ? found.value.label : null,
  }))
  const id = resolveTarget(text, named)
  const target = listed.find((each) => each.id === id)
  if (target === undefined) throw new Error('a target is one of the listed')
  return target
}
