import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { appraiseLaunchEndorsement } from '../../src/gce-endorsement/appraise-launch-endorsement.js'
import { AttestationError } from '../../src/errors.js'
import { VECTORS } from '../measure/read-vector.js'

/** What expect.json of an endorsement holds. */
export type ExpectedEndorsement = {
  readonly now: string
  readonly vcpus: number
  readonly outcome: 'trusted' | 'untrusted' | 'refused'
  readonly code: string | null
  readonly measurement: string | null
}

/** The folders of endorsements that are there. */
export const endorsementFolders = (): string[] =>
  readdirSync(VECTORS).filter((name) => existsSync(join(VECTORS, name, 'endorsement.binarypb')))

export const readExpected = (folder: string): ExpectedEndorsement =>
  JSON.parse(readFileSync(join(VECTORS, folder, 'expect.json'), 'utf8')) as ExpectedEndorsement

type Terms = Pick<ExpectedEndorsement, 'now' | 'vcpus'>

/** What comes of a folder: the code is that of the refusal, or of the first check that did not pass. */
export const appraiseVector = async (folder: string, { now, vcpus }: Terms): Promise<ExpectedEndorsement> => {
  const root = join(VECTORS, folder, 'root.der')
  const endorsement = readFileSync(join(VECTORS, folder, 'endorsement.binarypb'))
  const terms = { vcpus, nowMs: Date.parse(now), googleRoot: existsSync(root) ? readFileSync(root) : null }
  try {
    const { trusted, measurement, checks } = await appraiseLaunchEndorsement(endorsement, terms)
    const code = checks.find(({ result }) => result !== 'passed')?.code ?? null
    const digest = measurement === null ? null : Buffer.from(measurement).toString('hex')
    return { now, vcpus, outcome: trusted ? 'trusted' : 'untrusted', code, measurement: digest }
  } catch (error) {
    if (!(error instanceof AttestationError)) throw error
    return { now, vcpus, outcome: 'refused', code: error.code, measurement: null }
  }
}
