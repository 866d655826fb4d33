import { X509Certificate } from 'node:crypto'
import { parseAppraisalPolicy } from '@parley/attestation'
import {
  certificatesIn,
  isBundlePath,
  missingSurfaces,
  parseAdmissionList,
  parseAuthorities,
  parseEgressPolicy,
  parseEnginePolicy,
  parseLimits,
  parseProfileDescriptor,
  parseProviderList,
  parseResidencyPolicy,
} from '@parley/guardian'
import { isJsonObject, type JsonValue, parseJson, type ProfileName, ProtocolError } from '@parley/protocol'
import { type FileFinding, findingOf } from './finding.js'

const PARSERS: ReadonlyMap<string, (value: JsonValue) => unknown> = new Map<
  string,
  (value: JsonValue) => unknown
>([
  ['limits.json', parseLimits],
  ['engines.json', parseEnginePolicy],
  ['residency.json', parseResidencyPolicy],
  ['egress.json', parseEgressPolicy],
  ['registry-admission.json', parseAdmissionList],
  ['providers.json', parseProviderList],
  ['provisioning.json', parseAuthorities],
])
const PROFILES: readonly ProfileName[] = ['confidential', 'software', 'embedded']

/** Checks one file by itself. The Cedar files are checked together, elsewhere. */
export const lintForm = (path: string, bytes: Uint8Array): FileFinding =>
  findingOf(path, () => {
    if (!isBundlePath(path)) throw malformed('has no place in a bundle')
    const parse = PARSERS.get(path)
    if (parse !== undefined) parse(parseJson(bytes))
    else if (path.startsWith('profiles/')) checkProfile(path, parseJson(bytes))
    else if (path.endsWith('.pem')) checkRoots(bytes)
    else if (path.startsWith('providers/')) checkAppraisal(parseJson(bytes))
  })

const checkProfile = (path: string, value: JsonValue): void => {
  const name = PROFILES.find((each) => path === `profiles/${each}.json`)
  if (name === undefined) throw malformed('is of no profile')
  const [missing] = missingSurfaces(parseProfileDescriptor(name, value))
  if (missing !== undefined)
    throw malformed(`/surfaces: this build has no surface ${missing} in that profile`)
}

const checkAppraisal = (value: JsonValue): void => {
  if (!isJsonObject(value)) throw malformed('is not a JSON object')
  parseAppraisalPolicy(value)
}

const checkRoots = (bytes: Uint8Array): void => {
  const roots = certificatesIn(Buffer.from(bytes).toString('latin1'))
  if (roots.length === 0 || !roots.every(isAuthority))
    throw malformed('is not certificates of authorities in PEM and nothing else')
}

const isAuthority = (pem: string): boolean => {
  try {
    return new X509Certificate(pem).ca
  } catch {
    return false
  }
}

const malformed = (detail: string): ProtocolError => new ProtocolError('object_malformed', detail)
