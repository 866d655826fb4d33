import { printable } from '@parley/verifier/node'
import { lintBundle } from '../policy/lint-bundle.js'
import { readBundleFolder } from '../policy/read-bundle-folder.js'
import { openRegistry, type RegistryOption } from './contract-registry.js'
import { type Io, printJson } from './io.js'

/** The options of `parley policy check`. */
export type CheckPolicyOptions = RegistryOption & { readonly json?: true }

/** `parley policy check`. @throws AgentError `argument_invalid` where there is no such directory, or no registry */
export const runCheckPolicy = (directory: string, options: CheckPolicyOptions, io: Io): number => {
  const bundle = readBundleFolder(directory)
  const files = lintBundle(bundle, () => openRegistry(options, io))
  if (options.json === true) printJson(io, { hash: bundle.hash, files })
  else {
    const lines = files.map(
      ({ path, result, detail }) =>
        `${result}  ${printable(path)}${detail === null ? '' : `: ${printable(detail)}`}\n`,
    )
    io.out(`${lines.join('')}hash    ${bundle.hash}\n`)
  }
  return files.some(({ result }) => result === 'failed') ? 5 : 0
}
