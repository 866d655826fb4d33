import { describe, expect, it, vi } from 'vitest'
import { crypto } from '../../../attestation/src/node/crypto.js'
import { crypto as webOfAttestation } from '../../../attestation/src/web/crypto.js'
import { sha256 } from '../../../protocol/src/node/crypto.js'
import { sha256 as webOfProtocol } from '../../../protocol/src/web/crypto.js'
import { judgeFiles } from '../../page/judge-files.js'
import { type NamedFile, sortFiles } from '../../page/sort-files.js'
import { verdictOf } from '../results/result-cases.js'
import { readVector, vectorNames } from '../results/result-vectors.js'
import { aroundLeafStart, filesOf, names, used } from './real-evidence.js'

// What a page runs on, without a page: WebCrypto and noble. `make test-page` does the same in a browser.
vi.mock('../../../attestation/src/node/crypto.js', () => import('../../../attestation/src/web/crypto.js'))
vi.mock('../../../protocol/src/node/crypto.js', () => import('../../../protocol/src/web/crypto.js'))

it('runs on the web halves, not on what Node would take', () => {
  expect([crypto, sha256]).toEqual([webOfAttestation, webOfProtocol])
})

describe('by WebCrypto and noble', () => {
  it.each(vectorNames())('the verdict on %s ends as its expect.json says', async (name) => {
    const { given, expected } = readVector(name)
    expect((await verdictOf(given)).exit_code).toBe(expected.exit_code)
  })
})

const inspect = async (files: readonly NamedFile[], now: number): Promise<unknown> => {
  const { subject } = sortFiles(files)
  if (subject === null) throw new Error('no report')
  const judged = await judgeFiles({ subject, policy: null, roots: [], now })
  return 'obstacle' in judged ? judged : JSON.parse(judged.json)
}

describe.runIf(used)('by WebCrypto and noble, real evidence', () => {
  it.each(names('verified'))('%s is genuine while its leaf is valid, and not before', async (name) => {
    const files = filesOf('verified', name)
    const { valid, early } = aroundLeafStart(files)
    expect(await inspect(files, valid)).toMatchObject({ genuine: true, code: null })
    expect(await inspect(files, early)).toMatchObject({ genuine: false, code: 'certificate_not_yet_valid' })
  })
})
