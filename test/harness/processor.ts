import { DEMO_MEASUREMENT } from '../../scripts/src/demo/policy.js'
import {
  createSimulatedProcessor,
  type ProcessorOptions,
  type SimulatedProcessor,
  type SimulatedVendor,
} from '../../scripts/src/processor/index.js'

/** A chip under a root of its own; the keys of that root are made once in a test file, since they take seconds. */
export const makeProcessor = (
  vendor?: SimulatedVendor,
  more: Partial<ProcessorOptions> = {},
): Promise<SimulatedProcessor> =>
  createSimulatedProcessor({
    product: 'Milan',
    now: Date.now(),
    measurement: Buffer.from(DEMO_MEASUREMENT, 'hex'),
    ...(vendor === undefined ? {} : { vendor }),
    ...more,
  })

let made: Promise<SimulatedProcessor> | undefined

/** The chip on which the relays of a test file run. */
export const theProcessor = (): Promise<SimulatedProcessor> => (made ??= makeProcessor())
