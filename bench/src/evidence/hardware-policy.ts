import type { JsonObject } from '@parley/protocol'
import { examplePolicy } from '@parley/scripts'

/** An identity that may be anything, with the reason that it takes. */
export const anyIdentity: JsonObject = { any: 'not what is measured here' }

const NO_FLOOR = { bootloader: 0, tee: 0, snp: 0, microcode: 0 }
const NO_VERSION = { major: 0, minor: 0, build: 0 }

// Every check runs, with bounds that any genuine hardware is within: old firmware is verified as fast as new.
const WIDE: JsonObject = {
  products: ['Milan', 'Genoa', 'Turin'],
  signing_keys: ['vcek', 'vlek'],
  tcb_minimum: { Milan: NO_FLOOR, Genoa: NO_FLOOR, Turin: { fmc: 0, ...NO_FLOOR } },
  tcb_floor_list: anyIdentity,
  current_version_minimum: { Milan: NO_VERSION, Genoa: NO_VERSION, Turin: NO_VERSION },
  vmpl: [0, 1, 2, 3],
}

const isObject = (value: JsonObject[string]): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What is expected of hardware: exactly these values, and of all else whatever genuine hardware may say. */
export function hardwarePolicy(
  expected: Readonly<Record<'measurement' | 'chip_id' | 'host_data', Uint8Array | JsonObject>>,
): JsonObject {
  const value = (given: Uint8Array | JsonObject): JsonObject =>
    given instanceof Uint8Array ? { equals: Buffer.from(given).toString('hex') } : given
  const example = examplePolicy()
  const { platform_info: platform = null } = example
  return {
    ...example,
    ...WIDE,
    ...(isObject(platform) && { platform_info: { ...platform, alias_check_complete: 'any' } }),
    measurement: value(expected.measurement),
    chip_id: value(expected.chip_id),
    host_data: value(expected.host_data),
  }
}
