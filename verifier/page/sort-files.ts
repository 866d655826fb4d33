/** A file as it was chosen or dropped. */
export type NamedFile = { readonly name: string; readonly bytes: Uint8Array }

/** What is to be judged. */
export type Subject =
  | { readonly kind: 'bundle' | 'evidence'; readonly file: NamedFile }
  /** A bare report, or a raw quote, which has a certificate table behind the report. */
  | {
      readonly kind: 'report' | 'quote'
      readonly file: NamedFile
      readonly certificates: readonly NamedFile[]
      /** The root's list of revoked certificates. */
      readonly crl: NamedFile | null
    }

/** Files by what they are for. */
export type SortedFiles = {
  readonly subject: Subject | null
  readonly policy: NamedFile | null
  readonly roots: readonly NamedFile[]
  /** Names of what is none of these. */
  readonly unused: readonly string[]
}

type Kind = 'bundle' | 'evidence' | 'policy' | 'certificate' | 'crl' | 'binary' | 'other'

// A bundle holds evidence, so its mark is looked for first. A file that was damaged still shows what it was.
const MARKS: readonly (readonly [string, Kind])[] = [
  ['parley-bundle-v1', 'bundle'],
  ['parley-policy-v1', 'policy'],
  ['parley-evidence-v1', 'evidence'],
]
const OPENING_BRACE = 0x7b

/** What a file is, by its content; its name decides where that does not tell. */
export const kindOf = ({ name, bytes }: NamedFile): Kind => {
  if (bytes[0] === OPENING_BRACE) {
    const text = new TextDecoder().decode(bytes)
    return MARKS.find(([mark]) => text.includes(`"${mark}"`))?.[1] ?? kindByName(name)
  }
  if (/\.(?:der|pem)$/i.test(name)) return 'certificate'
  if (/\.crl$/i.test(name)) return 'crl'
  return /\.bin$/i.test(name) ? 'binary' : 'other'
}

const kindByName = (name: string): Kind => {
  if (/\.parley\.json$/i.test(name)) return 'bundle'
  return /evidence.*\.json$/i.test(name) ? 'evidence' : 'other'
}

/**
 * Sorts files that lie together. A bundle goes before an evidence document, and both before a report; beside
 * a report certificates and a CRL are its own, beside anything else certificates are extra roots.
 */
export const sortFiles = (files: readonly NamedFile[]): SortedFiles => {
  const of = (kind: Kind): readonly NamedFile[] => files.filter((file) => kindOf(file) === kind)
  const certificates = of('certificate')
  const [crl = null] = of('crl')
  const subject = subjectOf(of('bundle'), of('evidence'), of('binary'), { certificates, crl })
  const [policy = null] = of('policy')
  const alone = subject === null || !('certificates' in subject)
  const used = [subject?.file, policy, ...certificates, ...(alone ? [] : [crl])]
  return {
    subject,
    policy,
    roots: alone ? certificates : [],
    unused: files.filter((file) => !used.includes(file)).map(({ name }) => name),
  }
}

const subjectOf = (
  [bundle]: readonly NamedFile[],
  [evidence]: readonly NamedFile[],
  binaries: readonly NamedFile[],
  collateral: { readonly certificates: readonly NamedFile[]; readonly crl: NamedFile | null },
): Subject | null => {
  if (bundle !== undefined) return { kind: 'bundle', file: bundle }
  if (evidence !== undefined) return { kind: 'evidence', file: evidence }
  const report = binaries.find(({ name }) => /^report\.bin$/i.test(name))
  if (report !== undefined) return { kind: 'report', file: report, ...collateral }
  return binaries[0] === undefined ? null : { kind: 'quote', file: binaries[0], ...collateral }
}
