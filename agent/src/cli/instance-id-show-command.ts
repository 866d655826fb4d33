import { openA2aDesk } from './a2a-desk.js'
import type { HomeOption } from './home.js'
import { type Io, printJson } from './io.js'

/** `parley instance-id show`: who this instance is to its peers; with `--json` what `a2a pair --peer` takes. */
export const runShowInstanceId = async (
  options: HomeOption & { readonly json?: true },
  io: Io,
): Promise<number> => {
  const { card } = await openA2aDesk(options, io)
  if (options.json === true) printJson(io, card)
  else io.out(`${card.instance_id} ${card.did}\n`)
  return 0
}
