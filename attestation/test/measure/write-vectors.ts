import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expectedLaunchDigest } from '../../src/measure/expected-launch-digest.js'
import { firmwareImage } from './firmware-image.js'
import { readVector, VECTORS } from './read-vector.js'
import { VECTOR_PLAN, type PlannedVector } from './vector-plan.js'

// Run: npx tsx --conditions=source attestation/test/measure/write-vectors.ts

const sourceOf = ({ what }: PlannedVector): string =>
  `${what}\n\nWritten by attestation/test/measure/write-vectors.ts from vector-plan.ts. The firmware is a pattern of bytes with the
tables that a VMM reads; it boots nothing. The digest is that of \`expectedLaunchDigest\` once it had reproduced the
reference digests of sev-snp-measure (see reference-digests.test.ts).\n`

const writeInputs = (vector: PlannedVector): void => {
  const folder = join(VECTORS, vector.folder)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'firmware.bin'), firmwareImage(vector.firmware))
  writeFileSync(join(folder, 'launch.json'), `${JSON.stringify(vector.launch, null, 2)}\n`)
  writeFileSync(join(folder, 'SOURCE.md'), sourceOf(vector))
  if (vector.kernel !== undefined) writeFileSync(join(folder, 'kernel.bin'), vector.kernel)
  if (vector.initrd !== undefined) writeFileSync(join(folder, 'initrd.bin'), vector.initrd)
  writeFileSync(join(folder, 'expect.json'), '{}')
}

const outcomeOf = async (vector: PlannedVector): Promise<object> => {
  if (vector.refused !== undefined) return { outcome: 'refused', code: vector.refused }
  const { digest } = await expectedLaunchDigest(readVector(vector.folder).input)
  return { outcome: 'measured', digest: Buffer.from(digest).toString('hex') }
}

for (const vector of VECTOR_PLAN) {
  writeInputs(vector)
  const outcome = await outcomeOf(vector)
  writeFileSync(join(VECTORS, vector.folder, 'expect.json'), `${JSON.stringify(outcome, null, 2)}\n`)
}
