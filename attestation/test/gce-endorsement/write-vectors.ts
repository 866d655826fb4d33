import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { VECTORS } from '../measure/read-vector.js'
import { mintAuthorities, NOW } from './endorsed-firmware.js'
import { appraiseVector } from './read-endorsement-vector.js'
import { type EndorsementCase, endorsementCases } from './vector-cases.js'

// Run: npx tsx --conditions=source attestation/test/gce-endorsement/write-vectors.ts
// Every run mints new keys, which are kept nowhere, so all of these folders change together.

const sourceOf = ({ what }: EndorsementCase): string =>
  `${what}\n\nMinted by attestation/test/gce-endorsement/write-vectors.ts under a simulated root, whose key was thrown
away. Nothing in it is Google's.\n`

const { root, signer } = mintAuthorities()
for (const vector of endorsementCases(root, signer)) {
  const folder = join(VECTORS, vector.folder)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'endorsement.binarypb'), vector.endorsement)
  writeFileSync(join(folder, 'SOURCE.md'), sourceOf(vector))
  if (vector.root !== null) writeFileSync(join(folder, 'root.der'), vector.root)
  const now = new Date(NOW).toISOString()
  const outcome = await appraiseVector(vector.folder, { now, vcpus: vector.vcpus })
  writeFileSync(join(folder, 'expect.json'), `${JSON.stringify(outcome, null, 2)}\n`)
}
