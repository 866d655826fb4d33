import { asciiJson } from '../../printable.js'
import type { Io } from '../run.js'
import { gather, type GatherOptions, statusText } from './gather.js'

/** The options of `collateral fetch`. */
export type FetchOptions = GatherOptions & { readonly cache: string; readonly json?: true }

/** `parley-verify collateral fetch`: has what a report needs in the cache, or says what is missing. */
export const runFetch = async (path: string, options: FetchOptions, io: Io): Promise<number> => {
  const { complete, items } = (await gather(path, options, options.offline !== true, io)).collateral
  io.out(options.json === true ? asciiJson({ complete, items }) : statusText(items))
  return complete ? 0 : 3
}
