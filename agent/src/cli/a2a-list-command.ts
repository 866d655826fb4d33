import { rightsOf } from '@parley/guardian'
import { printable } from '@parley/verifier/node'
import { type ListedEndpoint, EndpointFiles } from '../a2a/endpoint-files.js'
import { type ListedOrigin, OriginFiles } from '../a2a/origin-files.js'
import { openA2aDesk } from './a2a-desk.js'
import type { HomeOption } from './home.js'
import { type Io, printJson } from './io.js'

/** The options of `parley a2a list-…`. */
export type PeerListOptions = HomeOption & { readonly json?: true }

/** `parley a2a list-origins`: who may send tasks here. */
export const runListOrigins = async (options: PeerListOptions, io: Io): Promise<number> => {
  const { paths } = await openA2aDesk(options, io)
  const rows = new OriginFiles(paths.origins).list().map(originRow)
  print(options, io, 'origins', rows)
  return 0
}

/** `parley a2a list-endpoints`: who takes tasks from here. */
export const runListEndpoints = async (options: PeerListOptions, io: Io): Promise<number> => {
  const { paths } = await openA2aDesk(options, io)
  const rows = new EndpointFiles(paths.endpoints).list().map(endpointRow)
  print(options, io, 'endpoints', rows)
  return 0
}

// What a list tells of a pairing is written out here: no key can come into it.
type Row = {
  readonly id: string
  readonly label: string | null
  readonly state: string
  readonly what: string
}

const originRow = ({ id, found }: ListedOrigin): Row =>
  found.ok
    ? { id, label: found.value.label, state: stateOf(found.value.enabled), what: rightsOf(found.value).mode }
    : { id, label: null, state: 'refused', what: found.reason }

const endpointRow = ({ id, found }: ListedEndpoint): Row =>
  found.ok
    ? { id, label: found.value.label, state: stateOf(found.value.enabled), what: found.value.url }
    : { id, label: null, state: 'refused', what: found.reason }

const stateOf = (enabled: boolean): string => (enabled ? 'enabled' : 'disabled')

const print = (options: PeerListOptions, io: Io, name: string, rows: readonly Row[]): void => {
  if (options.json === true) printJson(io, { [name]: rows })
  else
    for (const { id, label, state, what } of rows)
      io.out(`${printable(`${id}  ${label ?? '-'}  ${state}  ${what}`)}\n`)
}
