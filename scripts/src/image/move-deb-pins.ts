import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DEB_PINS_FILE, type DebPin, readDebPins } from './deb-pins.js'
import { openPrivateApt } from './private-apt.js'
import { run } from './run.js'
import { sha256Hex } from './sha256-hex.js'

/** Pins each package to what its suite has now. Debian's signature over the lists vouches for it at that moment. */
export function moveDebPins(): void {
  const pins = readDebPins()
  const folder = mkdtempSync(join(tmpdir(), 'parley-pins-'))
  try {
    const debs = join(folder, 'debs')
    mkdirSync(debs)
    openPrivateApt(folder).download(
      pins.map(({ package: name, suite }) => `${name}/${suite}`),
      debs,
    )
    const moved = pins.map((pin) => newest(pin, debs))
    writeFileSync(DEB_PINS_FILE, `[\n${moved.map((pin) => `  ${JSON.stringify(pin)}`).join(',\n')}\n]\n`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function newest(pin: DebPin, folder: string): DebPin {
  const name = readdirSync(folder).find((file) => file.startsWith(`${pin.package}_`))
  if (name === undefined) throw new Error(`${pin.package} was not fetched`)
  const file = join(folder, name)
  return {
    ...pin,
    version: run('dpkg-deb', ['-f', file, 'Version']).trim(),
    sha256: sha256Hex(readFileSync(file)),
  }
}
