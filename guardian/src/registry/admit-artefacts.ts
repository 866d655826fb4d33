import { type JsonValue, ProtocolError } from '@parley/protocol'
import * as v from 'valibot'
import { readBundleForm } from '../bundle/read-bundle-form.js'
import { ARTEFACT_FOLDERS, ARTEFACT_KINDS, type ArtefactKind } from './artefact.js'
import type { Registry } from './registry.js'

const allowed = v.strictObject({
  allow: v.pipe(
    v.array(v.pipe(v.string(), v.regex(/^sha256:[0-9a-f]{64}$/))),
    v.check((all) => new Set(all).size === all.length, 'each hash once'),
  ),
})

const admissionList = v.strictObject({
  version: v.literal('parley-registry-admission-v1'),
  registry_root: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
  schemas: allowed,
  policies: allowed,
  profiles: allowed,
  programs: allowed,
  contract_offers: allowed,
})

/** What an operator admits of one registry, which its root hash names. */
export type AdmissionList = v.InferOutput<typeof admissionList>

/**
 * Reads an operator's admission list.
 * @throws ProtocolError object_malformed, naming the member
 */
export const parseAdmissionList = (value: JsonValue): AdmissionList => readBundleForm(admissionList, value)

/**
 * The part of a registry that an operator admits.
 * @throws ProtocolError object_malformed if the registry is another one, or lacks what is admitted
 */
export const admitArtefacts = (registry: Registry, list: AdmissionList): Registry => {
  if (registry.rootHash !== list.registry_root)
    throw new ProtocolError(
      'object_malformed',
      `admission list: the registry's root is ${registry.rootHash}, not ${list.registry_root}`,
    )
  const admitted = new Map(ARTEFACT_KINDS.map((kind) => [kind, admittedOf(kind, registry, list)] as const))
  const only = (kind: ArtefactKind, content: string | undefined): string | undefined =>
    content !== undefined && admitted.get(kind)?.has(content) === true ? content : undefined
  return {
    rootHash: registry.rootHash,
    artefact: (kind, content) =>
      only(kind, content) === undefined ? undefined : registry.artefact(kind, content),
    resolve: (kind, reference) => only(kind, registry.resolve(kind, reference)),
    list: (kind) => registry.list(kind).filter((artefact) => only(kind, artefact.hash) !== undefined),
  }
}

const admittedOf = (kind: ArtefactKind, registry: Registry, list: AdmissionList): ReadonlySet<string> => {
  const folder = ARTEFACT_FOLDERS[kind]
  return new Set(
    list[folder].allow.map((reference) => {
      const content = registry.resolve(kind, reference)
      if (content !== undefined) return content
      throw new ProtocolError('object_malformed', `admission list: ${folder} has no ${reference}`)
    }),
  )
}
