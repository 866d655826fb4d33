/** Lines of what held and what did not. */
export type Verdicts = {
  readonly check: (holds: boolean, what: string, detail?: string) => void
  readonly failed: () => number
  readonly total: () => number
}

export function createVerdicts(say: (line: string) => void): Verdicts {
  let [total, failed] = [0, 0]
  return {
    check: (holds, what, detail = '') => {
      total += 1
      if (!holds) failed += 1
      say(
        `${holds ? 'passed' : 'FAILED'}  ${what}${holds || detail === '' ? '' : `\n${detail.replace(/^/gm, '        ')}`}`,
      )
    },
    failed: () => failed,
    total: () => total,
  }
}
