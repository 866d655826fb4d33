import { describe, expect, test } from 'vitest'
import { mintAuthorities } from './endorsed-firmware.js'
import { appraiseVector, endorsementFolders, readExpected } from './read-endorsement-vector.js'
import { endorsementCases } from './vector-cases.js'

describe('vectors of endorsements', () => {
  test.each(endorsementFolders())('%s has its outcome', async (folder) => {
    const expected = readExpected(folder)
    expect(await appraiseVector(folder, expected)).toEqual(expected)
  })

  test('every folder is a case, and every case has a folder', () => {
    const { root, signer } = mintAuthorities()
    expect(endorsementFolders()).toEqual(
      endorsementCases(root, signer)
        .map(({ folder }) => folder)
        .sort(),
    )
  })
})
