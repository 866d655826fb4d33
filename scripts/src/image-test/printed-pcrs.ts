/** The PCRs that the image's first program printed, by their numbers; lower-case hex. */
export const printedPcrs = (console: string): ReadonlyMap<string, string> =>
  new Map(
    [...console.matchAll(/^init: pcr (\d+) ([0-9a-f]{64})\r?$/gm)].map(([, index = '', value = '']) => [
      index,
      value,
    ]),
  )
