import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { fromHex } from '@parley/protocol'
import { inRepository } from '../demo/paths.js'
import { buildTwice } from './check-reproducible.js'
import { makeRelease } from './make-release.js'
import { moveDebPins } from './move-deb-pins.js'
import { OUT } from './paths.js'
import { digestsOfBuild } from './print-digests.js'
import { releaseVersion } from './release-version.js'
import { verifyRelease } from './verify-release.js'

// `make image` and what belongs to it.

const say = (text: string): boolean => process.stdout.write(text)

const text = { type: 'string' } as const
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { keys: text, firmware: text, 'gcp-measurement': text },
})

const COMMANDS: Readonly<Record<string, () => Promise<void> | void>> = {
  release: async () => {
    const { keys = inRepository('out/image-keys'), firmware, 'gcp-measurement': gcpMeasurement } = values
    for (const { name, what } of await makeRelease({
      release: releaseVersion(),
      keys,
      firmware,
      gcpMeasurement,
    }))
      say(`${name.padEnd(20)}${what}\n`)
  },
  digests: async () => {
    say(await digestsOfBuild(releaseVersion()))
  },
  reproducible: () => {
    const [here, there] = buildTwice()
    say(here === there ? `the same in two folders:\n${here}` : `not reproducible:\n${here}and\n${there}`)
    if (here !== there) process.exitCode = 1
  },
  verify: () => {
    const altered = verifyRelease(OUT, fromHex(readFileSync(positionals[1] ?? '', 'utf8').trim(), 32))
    say(
      altered.length === 0
        ? 'the files are what the manifest says\n'
        : `not as signed: ${altered.join(', ')}\n`,
    )
    if (altered.length > 0) process.exitCode = 1
  },
  pins: moveDebPins,
}

const command = COMMANDS[positionals[0] ?? '']
if (command === undefined) throw new Error(`usage: image ${Object.keys(COMMANDS).join(' | ')}`)
await command()
