import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { RELEASE_VERSION } from '../src/release-version.js'

test('the release version is the package version', () => {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  expect(JSON.parse(text)).toMatchObject({ version: RELEASE_VERSION })
})
