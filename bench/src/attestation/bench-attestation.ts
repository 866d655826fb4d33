import type { Candidate, Contest } from '../candidate.js'
import { knownAuthorities, LEAVES, warm } from '../evidence/bench-evidence.js'
import { type Case, flipped } from '../evidence/case.js'
import { corpusCases } from '../evidence/corpus-cases.js'
import { mintCases } from '../evidence/mint-cases.js'
import { type Contestant, startContestant } from './contestant.js'
import type { Task } from './contestant-main.js'
import { accepts, peerVerifiers, type Verifier } from './verifiers.js'

// One peer takes nothing but Genoa, version 3, under AMD's own names.
const EVERY_PEER_WISH = {
  product: 'Genoa',
  reportVersion: 3,
  organisation: [
    ['2.5.4.11', 'Engineering'],
    ['2.5.4.6', 'US'],
    ['2.5.4.7', 'Santa Clara'],
    ['2.5.4.8', 'CA'],
    ['2.5.4.10', 'Advanced Micro Devices'],
  ],
  platformInfo: 0x27n,
} as const

// Twenty of them warm a candidate up: only after thousands of verifications has the engine compiled ours for good.
const SLICE_MS = 200

/** The first case that a peer accepts, and refuses with a bit flipped: none takes all. */
async function caseFor(peer: Verifier, cases: readonly Case[]): Promise<Case | undefined> {
  for (const one of cases) if ((await accepts(peer, one)) && !(await accepts(peer, flipped(one)))) return one
  return undefined
}

type Start = (name: string, task: Task) => Promise<Omit<Candidate, 'bar'>>

/** Ours on new leaves under known authorities, then on one that it knows, against each peer on the case that it takes. */
async function* against(
  minted: readonly Case[],
  peers: readonly Candidate[],
  start: Start,
): AsyncGenerator<Contest> {
  const title = 'against other verifiers, each in a process of its own'
  const bounded = (atLeast: number): Candidate[] => peers.map((peer) => ({ ...peer, bar: { atLeast } }))
  yield {
    title: `cold (leaf new, root and intermediate known) ${title}`,
    floor: await start('appraiseEvidence with a ChainMemo', { peer: null, cases: minted }),
    rivals: bounded(5),
    sliceMs: SLICE_MS,
  }
  yield {
    title: `warm (the same leaf again) ${title}`,
    floor: await start('appraiseEvidence with a ChainMemo', { peer: null, cases: minted.slice(0, 1) }),
    rivals: bounded(7),
    sliceMs: SLICE_MS,
  }
}

const say = (line: string): void => void process.stdout.write(`${line}\n\n`)

async function* againstPeers(peers: readonly Verifier[], minted: readonly Case[]): AsyncGenerator<Contest> {
  const started: Contestant[] = []
  const start: Start = async (name, task) => {
    const contestant = await startContestant(task)
    started.push(contestant)
    return { name, cpu: contestant.cpu }
  }
  try {
    const cases = [...(await corpusCases()), ...minted.slice(0, 1)]
    const candidates: Candidate[] = []
    for (const peer of peers) {
      const one = await caseFor(peer, cases)
      if (one === undefined)
        say(`${peer.name} takes no evidence that is at hand: real evidence is read from PARLEY_CORPUS`)
      else candidates.push(await start(`${peer.name} on ${one.name}`, { peer: peer.name, cases: [one] }))
    }
    yield* against(minted, candidates, start)
  } finally {
    for (const { stop } of started) await stop()
  }
}

/** Evidence verification against its floors, and against other verifiers. */
export async function* benchAttestation(): AsyncGenerator<Contest> {
  const minted = await mintCases(LEAVES, EVERY_PEER_WISH)
  const one = minted.slice(0, 1)
  yield await knownAuthorities(minted)
  yield await warm(String(one[0]?.name), one)
  yield* againstInstalled(minted)
}

/** The second half of it alone: the first is part of the group `evidence` too. */
export async function* benchPeers(): AsyncGenerator<Contest> {
  yield* againstInstalled(await mintCases(LEAVES, EVERY_PEER_WISH))
}

async function* againstInstalled(minted: readonly Case[]): AsyncGenerator<Contest> {
  const peers = await peerVerifiers()
  if (peers === null) say('no other verifier is installed: run `npm run bench:peers`')
  else yield* againstPeers(peers, minted)
}
