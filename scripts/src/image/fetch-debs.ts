import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { debFile, type DebPin } from './deb-pins.js'
import { DEB_CACHE } from './paths.js'
import { openPrivateApt } from './private-apt.js'
import { run } from './run.js'
import { sha256Hex } from './sha256-hex.js'

/**
 * Fetches packages, checks each against its pin, and unpacks them into one folder. A package that Debian no longer has
 * under its pin ends the build: `pins` of the same command moves the pins, and the change of the file is there to be read.
 * @param folder must not exist
 */
export function unpackDebs(pins: readonly DebPin[], folder: string): void {
  fetchMissing(pins)
  mkdirSync(folder, { recursive: true })
  for (const pin of pins) run('dpkg-deb', ['-x', checked(pin), folder])
}

function fetchMissing(pins: readonly DebPin[]): void {
  const missing = pins.filter((pin) => !existsSync(cached(pin)))
  if (missing.length === 0) return
  mkdirSync(DEB_CACHE, { recursive: true })
  const folder = mkdtempSync(join(DEB_CACHE, 'fetch-'))
  try {
    const into = join(folder, 'debs')
    mkdirSync(into)
    openPrivateApt(join(folder, 'apt')).download(
      missing.map(({ package: name, version }) => `${name}=${version}`),
      into,
    )
    const files = readdirSync(into)
    for (const pin of missing) renameSync(join(into, fetched(files, pin)), cached(pin))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const cached = (pin: DebPin): string => join(DEB_CACHE, `${debFile(pin)}.deb`)

function fetched(files: readonly string[], pin: DebPin): string {
  const file = files.find((name) => name.startsWith(`${debFile(pin)}_`))
  if (file === undefined) throw new Error(`${pin.package} ${pin.version} was not fetched`)
  return file
}

function checked(pin: DebPin): string {
  const file = cached(pin)
  const found = sha256Hex(readFileSync(file))
  if (found !== pin.sha256)
    throw new Error(`${pin.package} ${pin.version} has SHA-256 ${found}, pinned is ${pin.sha256}`)
  return file
}
