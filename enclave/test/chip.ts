import type { Collector } from '@parley/attestation'
import { createSimulatedProcessor, type SimulatedProcessor } from '../../scripts/src/processor/index.js'

let made: Promise<SimulatedProcessor> | undefined

/** A chip that signs real structures under a root of its own; its keys take seconds, so one serves a file. */
export function testChip(): Promise<SimulatedProcessor> {
  made ??= createSimulatedProcessor({
    product: 'Milan',
    now: 1_800_000_000_000,
    measurement: new Uint8Array(48).fill(1),
  })
  return made
}

/** A collector that counts, and can be told to answer otherwise. */
export function countingCollector(
  collect: Collector['collect'],
): Collector & { readonly asked: Uint8Array[] } {
  const asked: Uint8Array[] = []
  return {
    platform: 'sev-snp',
    asked,
    collect: (reportData) => {
      asked.push(reportData)
      return collect(reportData)
    },
  }
}
