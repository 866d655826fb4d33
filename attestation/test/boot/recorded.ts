import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BootEvidence, type ExpectedBoot, parseBootPolicy, type TpmRoot } from '../../src/index.js'

const FOLDER = join(import.meta.dirname, '../../vectors/boot')

/** A run that was recorded with a software TPM. */
export type Recorded = {
  readonly evidence: BootEvidence
  readonly expected: ExpectedBoot
  readonly now: Date
  readonly tpmRoots: readonly TpmRoot[]
  /** Commands of the collector and what the TPM answered, hex. */
  readonly exchanges: readonly { readonly command: string; readonly response: string }[]
  readonly path: (file: string) => string
  readonly files: readonly string[]
}

export const RECORDINGS = readdirSync(FOLDER).sort()

export const readRecorded = (name: string): Recorded => {
  const path = (file: string): string => join(FOLDER, name, file)
  const read = (file: string): Uint8Array => Uint8Array.from(readFileSync(path(file)))
  const json = (file: string): unknown => JSON.parse(readFileSync(path(file), 'utf8'))
  const expect = json('expect.json') as { now: string; boot_ak: string }
  return {
    evidence: {
      akPublic: read('ak-public.bin'),
      akCertificates: [read('ak-certificate-0.der'), read('ak-certificate-1.der')],
      quote: read('quote.bin'),
      signature: read('signature.bin'),
      eventLog: read('event-log.bin'),
    },
    expected: {
      keyDigest: expect.boot_ak,
      qualifyingData: read('qualifying-data.bin'),
      policy: parseBootPolicy(json('boot-policy.json')),
    },
    now: new Date(expect.now),
    tpmRoots: [{ certificate: read('tpm-root.der'), kind: 'simulated' }],
    exchanges: json('exchanges.json') as Recorded['exchanges'],
    path,
    files: readdirSync(join(FOLDER, name)).sort(),
  }
}
