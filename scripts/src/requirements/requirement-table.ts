const HEAD = '| id | requirement | proven by |\n|---|---|---|\n'
const ROW = /^\| ((?:A2A|UAR)-\d\d) \| ([^|\n]+) \| ([^|\n]*) ?\|$/

/** One requirement as SPEC states it. */
export type RequirementRow = { readonly id: string; readonly says: string; readonly provenBy: string }

/** A text around its one table of requirements. */
type Parts = { readonly before: string; readonly rows: readonly RequirementRow[]; readonly after: string }

/** Takes the table out of SPEC. @throws Error where there is none, or a row is no row. */
export const readRequirementTable = (spec: string): Parts => {
  const start = spec.indexOf(HEAD)
  if (start === -1) throw new Error('SPEC.md has no table of requirements')
  const body = start + HEAD.length
  const length = spec.slice(body).search(/^(?!\|)/m)
  const end = length === -1 ? spec.length : body + length
  const lines = spec.slice(body, end).split('\n').slice(0, -1)
  return { before: spec.slice(0, start), rows: lines.map(rowOf), after: spec.slice(end) }
}

const rowOf = (line: string): RequirementRow => {
  const [, id, says, provenBy] = ROW.exec(line) ?? []
  if (id === undefined || says === undefined || provenBy === undefined)
    throw new Error(`not a row of the table of requirements: ${line}`)
  return { id, says, provenBy: provenBy.trim() }
}

/** The text with a table in its place. */
export const writeRequirementTable = ({ before, rows, after }: Parts): string =>
  `${before}${HEAD}${rows.map(({ id, says, provenBy }) => `| ${id} | ${says} | ${provenBy} |\n`).join('')}${after}`

/** The last column of a row: the test files, without what all their names have. */
export const proofText = (files: readonly string[]): string =>
  files.map((path) => path.replace('/test/', '/').replace(/\.test\.ts$/, '')).join(', ')
