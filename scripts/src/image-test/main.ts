import { testAlteredImage } from './altered-image.js'
import { testWithoutHardware } from './without-hardware.js'
import { openTestStand } from './test-stand.js'
import { createVerdicts } from './verdicts.js'
import { testWithSimulatedProcessor } from './with-simulated-processor.js'

// `make image-test`: boots what `make image` builds, on machines that are emulated in full.

const say = (line: string): boolean => process.stdout.write(`${line}\n`)
const began = performance.now()
const seconds = (): string => `${Math.round((performance.now() - began) / 1000)} s`
const verdicts = createVerdicts(say)

for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    process.exit(1)
  })

const stand = await openTestStand()
say(`built, ${seconds()}`)
for (const test of [testWithoutHardware, testAlteredImage, testWithSimulatedProcessor]) {
  await test(stand, verdicts).catch((error: unknown) => {
    verdicts.check(false, `${test.name} runs to its end`, error instanceof Error ? error.message : 'no error')
  })
  say(`        ${seconds()}`)
}
say(`${verdicts.total() - verdicts.failed()} passed, ${verdicts.failed()} failed`)
process.exitCode = verdicts.failed() === 0 ? 0 : 1
