import { filesOfProvider, parseProviderList } from '@parley/guardian'
import { type FileFinding, parsedIn } from './finding.js'

/** Checks that the providers' files and what `providers.json` names are the same. */
export const lintProviderFile = (files: ReadonlyMap<string, Uint8Array>): readonly FileFinding[] => {
  const named = new Map(
    (parsedIn(files, 'providers.json', parseProviderList) ?? []).flatMap((row, at) =>
      filesOfProvider(row).map((path) => [path, at] as const),
    ),
  )
  const missing = [...named].filter(([path]) => !files.has(path))
  const strange = [...files.keys()].filter((path) => path.startsWith('providers/') && !named.has(path))
  return [
    ...missing.map(([path, at]) =>
      fault('providers.json', `/providers/${at} names ${path}, which is not there`),
    ),
    ...strange.map((path) => fault(path, 'is of no provider')),
  ]
}

const fault = (path: string, detail: string): FileFinding => ({ path, result: 'failed', detail })
