import type { TpmRoot } from '@parley/attestation'
import { element } from './element.js'
import { type NamedFile, sortFiles, type SortedFiles } from './sort-files.js'

const slot = (id: string): HTMLInputElement => element(id, HTMLInputElement)
const SUBJECT = slot('subject')
const POLICY = slot('policy')
const ROOT = slot('root')
const GOOGLE_ROOT = slot('google-root')
const TPM_ROOT = slot('tpm-root')

/** What stands in the slots. Nothing tells roots of TPMs from others but the slot that they were put into. */
export type FilledSlots = SortedFiles & { readonly tpmRoots: readonly TpmRoot[] }

/** Reads them. */
export const readSlots = async (): Promise<FilledSlots> => {
  const subject = sortFiles(await readFiles(SUBJECT))
  const [policy = subject.policy] = await readFiles(POLICY)
  return {
    ...subject,
    policy,
    roots: [...subject.roots, ...(await readFiles(ROOT))],
    tpmRoots: [
      ...(await readTpmRoots(GOOGLE_ROOT, 'google')),
      ...(await readTpmRoots(TPM_ROOT, 'simulated')),
    ],
  }
}

const readTpmRoots = async (input: HTMLInputElement, kind: TpmRoot['kind']): Promise<readonly TpmRoot[]> =>
  (await readFiles(input)).map(({ bytes }) => ({ certificate: bytes, kind }))

const readFiles = ({ files }: HTMLInputElement): Promise<readonly NamedFile[]> =>
  readAll(Array.from(files ?? []))

const readAll = (files: readonly File[]): Promise<readonly NamedFile[]> =>
  Promise.all(
    files.map(async (file) => ({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) })),
  )

/** Puts files into the slots that they are for, and leaves the other slots alone. */
export const distribute = async (files: readonly File[]): Promise<void> => {
  const named = await readAll(files)
  const { subject, policy, roots, unused } = sortFiles(named)
  const chosen = (wanted: readonly (NamedFile | null)[]): readonly File[] =>
    files.filter((_, at) => wanted.includes(named[at] ?? null))
  const rest = named.filter(({ name }) => unused.includes(name))
  if (policy !== null) fill(POLICY, chosen([policy]))
  if (roots.length > 0) fill(ROOT, chosen(roots))
  if (subject === null) return
  const own = 'certificates' in subject ? [...subject.certificates, subject.crl] : []
  fill(SUBJECT, chosen([subject.file, ...own, ...rest]))
}

const fill = (input: HTMLInputElement, files: readonly File[]): void => {
  const transfer = new DataTransfer()
  for (const file of files) transfer.items.add(file)
  input.files = transfer.files
}
