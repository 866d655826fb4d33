/**
 * Ends the program with 1, and says why in one line on the standard error.
 * @param known an error of ours; null for any other, whose text may hold anything
 */
export function reportFailure(known: { readonly code: string; readonly message: string } | null): void {
  process.stderr.write(`parley-relay: ${known === null ? 'failed' : `${known.code}: ${known.message}`}\n`)
  process.exitCode = 1
}
