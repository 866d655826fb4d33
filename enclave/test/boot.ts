import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { makeRelayKeys } from '../src/keys/make-relay-keys.js'
import type { RelayKeys } from '../src/keys/relay-keys.js'
import { loadPolicyBundle, type PolicyBundle, type Profile } from '../src/policy-bundle.js'

export const POLICY_DIRECTORY = fileURLToPath(new URL('../../infra/policy', import.meta.url))

export const fresh = (size: number): Uint8Array => new Uint8Array(randomBytes(size))

export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

/** A directory that is gone when the test is over. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'parley-enclave-'))
  onTestFinished(() => {
    rmSync(directory, { recursive: true, force: true })
  })
  return directory
}

export function testKeys(
  profile: Profile['name'] = 'software',
  now = 1_800_000_000,
  bundle: PolicyBundle = loadPolicyBundle(POLICY_DIRECTORY, profile),
): RelayKeys {
  return makeRelayKeys({ keyId: 7, bundle, image_digest: null, previous: null, now }, fresh)
}
