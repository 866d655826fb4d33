import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import { inRepository } from '../demo/paths.js'

/** The release that a build makes: the version of the relay's package, which keysets name too. */
export const releaseVersion = (): string =>
  v.parse(
    v.object({ version: v.string() }),
    JSON.parse(readFileSync(inRepository('enclave/package.json'), 'utf8')),
  ).version
