import {
  appraiseLaunchEndorsement,
  type AttestationErrorCode,
  type EndorsementAppraisal,
  failureClass,
} from '@parley/attestation'
import { parseInstant } from '../parse-instant.js'
import { asciiJson, printableLines } from '../printable.js'
import { hexOf, parseCount } from './measure-options.js'
import { readBounded } from './read-file.js'
import type { Io } from './run.js'

/** The options of `measure gcp`, as commander hands them over. */
export type GcpOptions = {
  readonly vcpus: string
  readonly googleRoot?: string
  readonly now?: string
  readonly json?: true
}

const MAX_ENDORSEMENT_BYTES = 1 << 20
const MAX_ROOT_BYTES = 1 << 16

/** What POLICY can allow: bits that make a guest weaker (AMD 56860, GUEST_POLICY). */
const PERMISSIONS = [
  ['smt', 16n],
  ['migrate_ma', 18n],
  ['debug', 19n],
  ['cxl', 21n],
] as const

const permissionsOf = (policy: bigint): string[] =>
  PERMISSIONS.filter(([, bit]) => ((policy >> bit) & 1n) === 1n).map(([name]) => name)

// Google writes its ids in the byte order of the text (RFC 9562), not in that of firmware.
const uuidOf = (bytes: Uint8Array): string =>
  hexOf(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

const viewOf = (vcpus: number, appraisal: EndorsementAppraisal) => {
  const { trusted, measurement, golden, unknownFields, checks } = appraisal
  const { sevSnp } = golden
  return {
    trusted,
    vcpus,
    measurement: measurement === null ? null : hexOf(measurement),
    svsm_measurement: sevSnp.svsmMeasurement === null ? null : hexOf(sevSnp.svsmMeasurement),
    svn: sevSnp.svn,
    policy_maximum: `0x${sevSnp.policy.toString(16)}`,
    policy_permissions: permissionsOf(sevSnp.policy),
    uefi_digest: hexOf(golden.uefiDigest),
    cl_spec: golden.clSpec.toString(),
    commit: hexOf(golden.commit),
    timestamp: new Date(golden.timestampMs).toISOString(),
    family_id: uuidOf(sevSnp.familyId),
    image_id: uuidOf(sevSnp.imageId),
    endorsed_vcpus: [...sevSnp.measurements.keys()].sort((left, right) => left - right),
    unknown_fields: unknownFields,
    checks,
  }
}

type View = ReturnType<typeof viewOf>

const factLines = (view: View): string[] => [
  `measurement     ${view.measurement ?? 'none'} (${view.vcpus} vcpus)`,
  ...(view.svsm_measurement === null ? [] : [`under an SVSM   ${view.svsm_measurement}`]),
  `svn             ${view.svn}`,
  `policy, at most ${view.policy_maximum} (${view.policy_permissions.join(', ')})`,
  `firmware        sha384 ${view.uefi_digest}`,
  `built from      cl ${view.cl_spec}, commit ${view.commit === '' ? 'none' : view.commit}`,
  `signed at       ${view.timestamp}`,
  `family, image   ${view.family_id}, ${view.image_id}`,
  `endorsed vcpus  ${view.endorsed_vcpus.join(', ')}`,
  ...(view.unknown_fields.length === 0 ? [] : [`not understood  ${view.unknown_fields.join(', ')}`]),
]

const asText = (view: View): string => {
  const head = view.trusted
    ? 'endorsed under the root that was passed in'
    : 'NOT VERIFIED: nothing below was shown to come from Google'
  const checks = view.checks.map(
    ({ name, result, code }) => `${name.padEnd(15)} ${result}${code === null ? '' : `: ${code}`}`,
  )
  return `${[head, ...factLines(view), ...checks].join('\n')}\n`
}

const EXITS = { malformed: 5, not_genuine: 2, not_expected: 3, collection: 3, usage: 3 } as const

/** The exit code of the first check that failed; 3 where none failed and some were not run. */
const exitOf = ({ trusted, checks }: EndorsementAppraisal): number => {
  const failure: AttestationErrorCode | null = checks.find(({ result }) => result === 'failed')?.code ?? null
  if (failure !== null) return EXITS[failureClass(failure)]
  return trusted ? 0 : 3
}

/** `parley-verify measure gcp`: what an endorsement says about a VM, and whether Google says it. */
export const runMeasureGcp = async (path: string, options: GcpOptions, io: Io): Promise<number> => {
  const { googleRoot, now } = options
  const vcpus = parseCount('--vcpus', options.vcpus)
  const appraisal = await appraiseLaunchEndorsement(await readBounded(path, MAX_ENDORSEMENT_BYTES), {
    vcpus,
    googleRoot: googleRoot === undefined ? null : await readBounded(googleRoot, MAX_ROOT_BYTES),
    nowMs: now === undefined ? io.now : parseInstant(now),
  })
  const view = viewOf(vcpus, appraisal)
  io.out(options.json === true ? asciiJson(view) : printableLines(asText(view)))
  return exitOf(appraisal)
}
