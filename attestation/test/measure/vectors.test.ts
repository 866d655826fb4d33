import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { expectedLaunchDigest } from '../../src/measure/expected-launch-digest.js'
import { firmwareImage } from './firmware-image.js'
import { launchFolders, type LaunchOutcome, readVector, VECTORS } from './read-vector.js'
import { VECTOR_PLAN } from './vector-plan.js'

const outcomeOf = async (folder: string): Promise<LaunchOutcome> => {
  try {
    const { digest } = await expectedLaunchDigest(readVector(folder).input)
    return { outcome: 'measured', digest: Buffer.from(digest).toString('hex') }
  } catch (error) {
    return { outcome: 'refused', code: String((error as { code?: unknown }).code) }
  }
}

describe('vectors of launches', () => {
  test.each(launchFolders())('%s has its outcome', async (folder) => {
    expect(await outcomeOf(folder)).toEqual(readVector(folder).expect)
  })

  test('every folder is planned, and every planned one is there', () => {
    expect(launchFolders()).toEqual(VECTOR_PLAN.map(({ folder }) => folder).sort())
  })

  test.each(VECTOR_PLAN)('the firmware of $folder is the one that the plan makes', ({ folder, firmware }) => {
    expect(readFileSync(join(VECTORS, folder, 'firmware.bin')).equals(firmwareImage(firmware))).toBe(true)
  })
})
