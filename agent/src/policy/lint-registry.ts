import {
  admitArtefacts,
  parseAdmissionList,
  parseGuardianPolicy,
  parseProfileDescriptor,
  type Registry,
} from '@parley/guardian'
import { ProtocolError } from '@parley/protocol'
import { type FileFinding, findingOf, parsedIn } from './finding.js'

const ADMISSION = 'registry-admission.json'
const PROFILES = ['confidential', 'software', 'embedded'] as const

/**
 * Checks that the registry is the one that a bundle pins, that it holds what is admitted, that every admitted policy is
 * one, and that each profile's guardian policy is admitted.
 */
export const lintRegistry = (
  files: ReadonlyMap<string, Uint8Array>,
  registry: () => Registry,
): readonly FileFinding[] => {
  const list = parsedIn(files, ADMISSION, parseAdmissionList)
  if (list === undefined) return []
  let admitted: Registry | undefined
  const admission = findingOf(ADMISSION, () => {
    admitted = admitArtefacts(registry(), list)
    for (const { hash } of admitted.list('policy'))
      parseGuardianPolicy(admitted.artefact('policy', hash) ?? null)
  })
  return [admission, ...(admitted === undefined ? [] : lintProfiles(files, admitted))]
}

const lintProfiles = (files: ReadonlyMap<string, Uint8Array>, admitted: Registry): readonly FileFinding[] =>
  PROFILES.flatMap((name) => {
    const path = `profiles/${name}.json`
    const descriptor = parsedIn(files, path, (value) => parseProfileDescriptor(name, value))
    if (descriptor === undefined) return []
    return [
      findingOf(path, () => {
        if (admitted.resolve('policy', descriptor.guardian_policy) === undefined)
          throw new ProtocolError('object_malformed', '/guardian_policy is not admitted')
      }),
    ]
  })
