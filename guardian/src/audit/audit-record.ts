import {
  type AuditEntry,
  auditEntryHash,
  auditLeaf,
  canonicalize,
  fromBase64url,
  fromHex,
  isJsonObject,
  type JsonObject,
  type Lane,
  parseAuditEntry,
  parseCanonicalJson,
  ProtocolError,
  toHex,
} from '@parley/protocol'

/** An entry as a log file keeps it; `salt` is null where its owner keeps entries as they are. */
export type KeptRecord = { readonly entry: AuditEntry; readonly salt: string | null }

/** What is left of an entry that was erased: it holds its place in chain and tree, and tells nothing. */
export type ErasedRecord = { readonly entry_hash: string; readonly leaf_hash: string }

/** One line of a log file. */
export type AuditRecord = KeptRecord | ErasedRecord

/** True for what is left of an erased entry. */
export const isErased = (record: AuditRecord): record is ErasedRecord => 'entry_hash' in record

/**
 * Reads a line: an entry, an entry with its salt, or what is left of one.
 * @throws ProtocolError `json_malformed`, `json_not_canonical`, `json_too_deep`, `object_malformed`, `encoding_malformed`
 * @see protocol SPEC "Audit log"
 */
export const parseAuditRecord = (line: string): AuditRecord => {
  const value = parseCanonicalJson(line)
  if (!isJsonObject(value)) throw malformed()
  if ('entry' in value) return parseOpening(value)
  if ('entry_hash' in value) return parseErased(value)
  return { entry: parseAuditEntry(value), salt: null }
}

const parseOpening = (value: JsonObject): KeptRecord => {
  const { entry, salt } = value
  if (entry === undefined || typeof salt !== 'string' || Object.keys(value).length !== 2) throw malformed()
  fromBase64url(salt, 32)
  return { entry: parseAuditEntry(entry), salt }
}

const parseErased = (value: JsonObject): ErasedRecord => {
  const { entry_hash, leaf_hash } = value
  if (typeof entry_hash !== 'string' || typeof leaf_hash !== 'string' || Object.keys(value).length !== 2)
    throw malformed()
  for (const each of [entry_hash, leaf_hash]) fromHex(each, 32)
  return { entry_hash, leaf_hash }
}

const malformed = (): ProtocolError => new ProtocolError('object_malformed', 'a line is no record of a log')

/** The line of a record, without a newline. */
export const auditRecordLine = (record: AuditRecord): string =>
  canonicalize(!isErased(record) && record.salt === null ? record.entry : { ...record })

/** What is left of a record once it is erased. */
export const eraseRecord = (lane: Lane, record: AuditRecord): ErasedRecord =>
  isErased(record)
    ? record
    : { entry_hash: auditEntryHash(lane, record.entry), leaf_hash: toHex(auditLeaf(lane, record)) }
