import { readFileSync } from 'node:fs'
import * as v from 'valibot'

const modules = v.array(v.strictObject({ path: v.string(), optional: v.boolean() }))

const relayConfig = v.strictObject({
  store_directory: v.string(),
  policy_directory: v.string(),
  registry_directory: v.string(),
  image_digest: v.string(),
})

/** A kernel module; an optional one is for hardware that need not be there. */
export type Module = v.InferOutput<typeof modules>[number]
/** The members of the relay's configuration that the host has no say in. */
export type RelayConfig = v.InferOutput<typeof relayConfig>

const read = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'))

/** The image's modules, in the order in which they need each other. */
export const readModules = (): readonly Module[] => v.parse(modules, read('/parley/modules.json'))

export const readRelayConfig = (): RelayConfig => v.parse(relayConfig, read('/parley/relay.json'))
