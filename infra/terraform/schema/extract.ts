import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ProviderSchema } from './block.js'
import { type Binding, readBinding } from './read-binding.js'

// Writes google.json anew: the schema of the resources that the module uses, out of the CDK's bindings of the provider.
// The folder with their node_modules is the one argument.

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('usage: extract.ts FOLDER-WITH-NODE_MODULES')
const library = join(folder, 'node_modules/@cdktf/provider-google')
const moduleFolder = join(import.meta.dirname, '../relay')

// The bindings say in every resource which provider they were made from.
const VERSION = /providerVersion: '([0-9.]+)'/

const binding = (name: string): Binding => ({
  js: readFileSync(join(library, 'lib', name, 'index.js'), 'utf8'),
  dts: readFileSync(join(library, 'lib', name, 'index.d.ts'), 'utf8'),
})

const used = readdirSync(moduleFolder)
  .filter((file) => file.endsWith('.tf'))
  .flatMap((file) => [
    ...readFileSync(join(moduleFolder, file), 'utf8').matchAll(/^resource "(google_\w+)"/gm),
  ])
  .map(([, type = '']) => type)

const schema: ProviderSchema = {
  source: 'registry.terraform.io/hashicorp/google',
  version: VERSION.exec(binding('compute-instance').js)?.[1] ?? '',
  provider: readBinding(binding('provider')),
  resources: Object.fromEntries(
    [...new Set(used)]
      .sort()
      .map((type) => [type, readBinding(binding(type.replace('google_', '').replaceAll('_', '-')))]),
  ),
}
writeFileSync(join(import.meta.dirname, 'google.json'), `${JSON.stringify(schema)}\n`)
