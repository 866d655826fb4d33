import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import { inSources } from './paths.js'

/** What a package is for: part of the image, makes the image, or runs and tries it. */
const use = v.picklist(['image', 'tools', 'test', 'test-module'])

const pin = v.strictObject({
  use,
  package: v.string(),
  suite: v.picklist(['bookworm', 'bookworm-security', 'bookworm-backports', 'trixie']),
  version: v.string(),
  sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
})

/** One Debian package, and the only bytes that count as it. */
export type DebPin = v.InferOutput<typeof pin>
export type DebUse = v.InferOutput<typeof use>

export const DEB_PINS_FILE = inSources('debs.json')

/** The pins of the repository. */
export const readDebPins = (): readonly DebPin[] =>
  v.parse(v.array(pin), JSON.parse(readFileSync(DEB_PINS_FILE, 'utf8')))

/** The name that apt gives the file. */
export const debFile = ({ package: name, version }: DebPin): string =>
  `${name}_${version.replaceAll(':', '%3a')}`
