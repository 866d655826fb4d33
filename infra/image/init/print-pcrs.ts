import { existsSync, readFileSync } from 'node:fs'

const FOLDER = '/sys/class/tpm/tpm0/pcr-sha256'
const PRINTED = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14]

/** What the TPM has measured so far. The host knows it anyway; an operator reads it on the console. */
export function pcrLines(): readonly string[] {
  if (!existsSync(FOLDER)) return ['no TPM']
  return PRINTED.map(
    (index) => `pcr ${index} ${readFileSync(`${FOLDER}/${index}`, 'utf8').trim().toLowerCase()}`,
  )
}
