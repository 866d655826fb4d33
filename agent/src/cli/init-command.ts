import { type HomeOption, initHome } from './home.js'
import { type Io, printJson } from './io.js'

/** `parley init`: makes this participant's identity. */
export const runInit = async (options: HomeOption & { readonly json?: true }, io: Io): Promise<number> => {
  const { home, identity } = await initHome(options, io)
  if (options.json === true) printJson(io, { did: identity.did, home })
  else io.out(`${identity.did}\n`)
  return 0
}
