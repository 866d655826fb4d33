import { isJsonObject, type JsonValue } from '@parley/protocol'

/** What a contract's metadata says of its codes, a block for each member of the output. */
export const describeCodes = (codes: JsonValue | undefined): readonly string[] =>
  codes === undefined || !isJsonObject(codes)
    ? []
    : Object.entries(codes).flatMap(([member, meanings]) => [`${member}:`, ...meaningLines(meanings), ''])

const meaningLines = (meanings: JsonValue): readonly string[] =>
  isJsonObject(meanings)
    ? Object.entries(meanings).map(([code, says]) => `  ${code}  ${typeof says === 'string' ? says : '-'}`)
    : []
