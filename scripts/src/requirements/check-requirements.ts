import { filesById } from './proven-ids.js'
import { REQUIREMENT_IDS } from './requirement-ids.js'
import { proofText, readRequirementTable, writeRequirementTable } from './requirement-table.js'

/** The table as the tests fill it, and what is wrong with it as it stands. */
export type RequirementCheck = { readonly spec: string; readonly complaints: readonly string[] }

/**
 * Holds SPEC's table of requirements against the tests: every id has its row, in order, and at least one test; each row
 * names exactly the files whose titles begin with its id.
 * @param tests the texts of all test files by path
 */
export const checkRequirements = (spec: string, tests: ReadonlyMap<string, string>): RequirementCheck => {
  const parts = readRequirementTable(spec)
  const proofs = filesById(tests)
  const rows = parts.rows.map((row) => ({ ...row, provenBy: proofText(proofs.get(row.id) ?? []) }))
  const ids = parts.rows.map(({ id }) => id)
  return {
    spec: writeRequirementTable({ ...parts, rows }),
    complaints: [
      ...(ids.join() === REQUIREMENT_IDS.join() ? [] : ['SPEC.md does not list every id once, in order']),
      ...[...proofs.keys()].filter((id) => !REQUIREMENT_IDS.includes(id)).map((id) => `${id} is no id`),
      ...REQUIREMENT_IDS.filter((id) => !proofs.has(id)).map((id) => `${id} has no test`),
      ...rows
        .filter(({ provenBy }, index) => provenBy !== parts.rows[index]?.provenBy)
        .map(({ id }) => `${id}: SPEC.md names other tests than there are (npm run requirements -- --write)`),
    ],
  }
}
