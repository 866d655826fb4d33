import {
  type AuditEntry,
  isJsonObject,
  type JsonValue,
  parseAuditEntry,
  parseJson,
  ProtocolError,
} from '@parley/protocol'
import * as v from 'valibot'
import { readBundle, type RelayKeys } from '../stages/read-bundle.js'

const digest = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/))
const note = v.pipe(v.string(), v.maxLength(512))
const path = v.pipe(v.array(digest), v.maxLength(64), v.readonly())
const index = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

const inclusion = v.strictObject({
  version: v.literal('parley-audit-inclusion-v1'),
  entry: v.custom<JsonValue>((value) => value !== undefined),
  salt: v.nullable(v.string()),
  leaf_index: index,
  leaf_hash: digest,
  path,
  checkpoint: note,
})
const consistency = v.strictObject({
  version: v.literal('parley-audit-consistency-v1'),
  first: note,
  second: note,
  path,
})

/** That an entry is in the tree of a checkpoint. */
export type InclusionClaim = {
  /** Null where only the leaf is shown. */
  readonly opening: { readonly entry: AuditEntry; readonly salt: string | null } | null
  readonly leaf_index: number
  readonly leaf_hash: string
  readonly path: readonly string[]
}

/** What somebody keeps of a log: a checkpoint, with an entry under it or an earlier checkpoint that it goes on from. */
export type Held = {
  /** What the report calls it, such as the name of its file. */
  readonly name: string
  readonly checkpoint: string
  readonly inclusion: InclusionClaim | null
  readonly earlier: { readonly checkpoint: string; readonly path: readonly string[] } | null
  /** The keys of the relay, where it is a bundle. */
  readonly relay: RelayKeys | null
}

/**
 * Reads a checkpoint, a proof that `parley audit prove` made, or a bundle.
 * @param bytes of a file
 * @throws ProtocolError on a file that is none of them
 */
export const parseHeld = (name: string, bytes: Uint8Array): Held => {
  const text = new TextDecoder().decode(bytes)
  const bare = { name, inclusion: null, earlier: null, relay: null }
  if (!text.startsWith('{')) return { ...bare, checkpoint: text }
  const value = parseJson(bytes)
  const version = isJsonObject(value) ? value['version'] : undefined
  if (version === 'parley-audit-inclusion-v1') {
    const { version: _, checkpoint, entry, salt, ...claim } = decoded(inclusion, value)
    const opening = { entry: parseAuditEntry(entry), salt }
    return { ...bare, checkpoint, inclusion: { opening, ...claim } }
  }
  if (version === 'parley-audit-consistency-v1') {
    const { first, second, path: between } = decoded(consistency, value)
    return { ...bare, checkpoint: second, earlier: { checkpoint: first, path: between } }
  }
  return heldInBundle(name, bytes)
}

const decoded = <T>(schema: v.GenericSchema<unknown, T>, value: JsonValue): T => {
  const result = v.safeParse(schema, value, { abortEarly: true })
  if (result.success) return result.output
  throw new ProtocolError('object_malformed', `proof: member ${v.getDotPath(result.issues[0]) ?? '(root)'}`)
}

const heldInBundle = (name: string, bytes: Uint8Array): Held => {
  const { bundle, relay } = readBundle(bytes)
  const { checkpoint, ...claim } = bundle.receipt.audit
  return { name, checkpoint, inclusion: { opening: bundle.openings.audit, ...claim }, earlier: null, relay }
}
