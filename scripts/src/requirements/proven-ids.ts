// A title that begins with ids: 'A2A-17, A2A-45: …'. What merely mentions one proves nothing.
const TITLE = /['"`]((?:A2A|UAR)-\d\d(?:, (?:A2A|UAR)-\d\d)*): /g

/** The ids that the titles of a test file begin with, each once, in order. */
export const provenIds = (source: string): readonly string[] => {
  const ids = [...source.matchAll(TITLE)].flatMap(([, list]) => list?.split(', ') ?? [])
  return [...new Set(ids)].sort()
}

/**
 * Which files prove an id.
 * @param files texts by path
 */
export const filesById = (files: ReadonlyMap<string, string>): ReadonlyMap<string, readonly string[]> => {
  const proofs = new Map<string, readonly string[]>()
  for (const [path, source] of [...files].sort(([one], [other]) => (one < other ? -1 : 1)))
    for (const id of provenIds(source)) proofs.set(id, [...(proofs.get(id) ?? []), path])
  return proofs
}
