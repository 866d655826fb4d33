import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { changeFile, createPeer, type Peer, writeFile } from './peer.js'
import { type Forge, openForge } from './rejections.js'
import { type Server, startServer } from './server.js'

/** Alice, who may give Bob tasks. */
export type Stage = {
  readonly alice: Peer
  readonly bob: Peer
  readonly originFile: string
  readonly forge: Forge
  /** Runs something with Bob's receiver up, at one address all along. */
  serving<T>(use: (server: Server) => Promise<T>, ...options: readonly string[]): Promise<T>
  /** `parley a2a send` to Bob: its exit code and what it printed. */
  send(said: string, ...options: readonly string[]): Promise<{ code: number | null; output: string }>
}

/** Makes two homes, starts Bob's receiver once for its address, and pairs the two by commands. */
export async function openStage(folder: string, nowSeconds: () => number): Promise<Stage> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const [alice, bob] = [await createPeer('alice', folder), await createPeer('bob', folder)]
  const card = writeFile(alice, 'card.json', await alice.must('instance-id', 'show', '--json'))
  const first = await startServerOf(bob)
  await first.stop('SIGTERM')
  const pairing = join(bob.home, 'pairing.json')
  const granted = ['--persona', 'analyst', '--purpose', 'compute', '--purpose', 'late', '--enable']
  const offered = ['--peer', card, '--out', pairing, '--id', 'from-alice', ...granted]
  await bob.must('a2a', 'pair', 'Alice', first.url, ...offered)
  await alice.must('a2a', 'pair', 'Bob', '--accept', pairing, '--id', 'to-bob', '--enable')
  const originFile = join(bob.home, 'a2a/remote_origins/from-alice.json')
  // Every scene sends some; none of them is about the rate of requests.
  changeFile(originFile, { rate_limit_rpm: 0 })
  const forge = await openForge(alice, pairing, nowSeconds)
  const port = Number(new URL(first.url).port)
  return {
    ...{ alice, bob, originFile, forge },
    serving: async (use, ...options) => {
      const server = await startServer(bob, port, ...options)
      try {
        return await use(server)
      } finally {
        await server.stop('SIGTERM')
      }
    },
    send: (said, ...options) => {
      const purpose = options.includes('--purpose') ? [] : ['--purpose', 'compute']
      return alice.run('a2a', 'send', 'Bob', said, ...purpose, ...options)
    },
  }
}

const startServerOf = async (bob: Peer): Promise<Server> => {
  await bob.must('instance-id', 'show')
  return startServer(bob, 0)
}
