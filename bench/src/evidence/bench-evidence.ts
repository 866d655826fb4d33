import { ChainMemo } from '@parley/attestation'
import { type Contest, inProcess } from '../candidate.js'
import { type BareSignatures, bareSignatures } from './bare-signatures.js'
import { type Case, flipped, isTrusted } from './case.js'
import { corpusCases } from './corpus-cases.js'
import { mintCases } from './mint-cases.js'

/** More leaves than a memo remembers, so that one that comes round again is new again. */
export const LEAVES = 160
const REMEMBERED = 64
// Twenty of them warm a candidate up: only after thousands of verifications has the engine compiled ours for good.
const SLICE_MS = 200

async function trust(one: Case, memo?: ChainMemo): Promise<void> {
  if (!(await isTrusted(one, memo))) throw new Error('genuine evidence is not trusted')
}

async function holds({ evidence }: Case): Promise<boolean> {
  const { cold } = await bareSignatures(evidence)
  return cold().then(
    () => true,
    () => false,
  )
}

/** Floor and appraisal say the same: yes, and no where a bit is flipped, whatever is remembered. */
async function assertSameVerdicts(cases: readonly Case[]): Promise<void> {
  const memo = new ChainMemo()
  for (const one of cases) {
    const other = flipped(one)
    const accepted = [await holds(one), await isTrusted(one), await isTrusted(one, memo)]
    const refused = [await holds(other), await isTrusted(other), await isTrusted(other, memo)]
    if (accepted.includes(false) || refused.includes(true)) throw new Error(`verdicts on ${one.name} differ`)
  }
}

type Run<T> = (one: T) => void | Promise<void>

/** All of them, one after the other. */
const all =
  <T>(things: readonly T[], run: Run<T>) =>
  async (): Promise<void> => {
    for (const one of things) await run(one)
  }

/** The next of them, round and round. */
const next = <T>(things: readonly T[], run: Run<T>) => {
  let at = 0
  return async (): Promise<void> => {
    const one = things[at++ % things.length]
    if (one !== undefined) await run(one)
  }
}

const bareOf = (cases: readonly Case[]): Promise<BareSignatures[]> =>
  Promise.all(cases.map(({ evidence }) => bareSignatures(evidence)))

/** Everything anew, from DER, as a process does it once. */
async function first(title: string, cases: readonly Case[]): Promise<Contest> {
  await assertSameVerdicts(cases)
  const bare = all(await bareOf(cases), (one) => one.cold())
  return {
    title: `evidence, first: ${title}; all from DER, nothing remembered`,
    floor: inProcess('bare: 1 P-384 + 3 RSA-4096, keys imported', bare),
    rivals: [
      inProcess(
        'appraiseEvidence',
        all(cases, (one) => trust(one)),
        { atMost: 1.5 },
      ),
    ],
    per: cases.length,
    sliceMs: SLICE_MS,
  }
}

/** Another report under a chain that is known. */
export async function warm(title: string, cases: readonly Case[]): Promise<Contest> {
  await assertSameVerdicts(cases)
  const memo = new ChainMemo(REMEMBERED)
  const bare = all(await bareOf(cases), (one) => {
    one.warm()
  })
  return {
    title: `evidence, warm: ${title}; the same leaf again`,
    floor: inProcess('bare: 1 P-384', bare),
    rivals: [
      inProcess(
        'appraiseEvidence with a ChainMemo',
        all(cases, (one) => trust(one, memo)),
        { atMost: 1.1 },
      ),
    ],
    per: cases.length,
    sliceMs: SLICE_MS,
  }
}

/** New leaves under authorities that are known. */
export async function knownAuthorities(cases: readonly Case[]): Promise<Contest> {
  const memo = new ChainMemo(REMEMBERED)
  const bare = next(await bareOf(cases), (one) => one.pinned())
  return {
    title: `evidence, cold: ${String(cases[0]?.name)}; leaf new, root and intermediate known`,
    floor: inProcess('bare: 1 P-384 + 1 RSA-4096, key of the leaf imported', bare),
    rivals: [
      inProcess(
        'appraiseEvidence with a ChainMemo',
        next(cases, (one) => trust(one, memo)),
        { atMost: 1.25 },
      ),
    ],
    sliceMs: SLICE_MS,
  }
}

/** Evidence verification, whole, against the signature checks that it cannot do without. */
export async function* benchEvidence(): AsyncGenerator<Contest> {
  const cases = await mintCases(LEAVES, { product: 'Genoa', reportVersion: 5 })
  const one = cases.slice(0, 1)
  const title = String(one[0]?.name)
  yield await first(title, one)
  yield await knownAuthorities(cases)
  yield await warm(title, one)
  const real = await corpusCases()
  if (real.length === 0) return
  const count = `${real.length} cases of real hardware`
  yield await first(count, real)
  yield await warm(count, real)
}
