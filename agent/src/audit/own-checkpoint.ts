import { type MerkleTree, openCheckpoint, ProtocolError, signCheckpoint, toHex } from '@parley/protocol'
import { AgentError } from '../agent-error.js'
import { readPrivateFile, replacePrivateFile } from '../private-file.js'
import type { HomeLog } from './home-log.js'

/** Where a home keeps the last checkpoint of a log: beside it. */
export const checkpointPath = ({ path }: Pick<HomeLog, 'path'>): string => `${path}.checkpoint`

/** Signs what the log holds now, in the place of what it held before. @throws AgentError `file_unusable` */
export const keepCheckpoint = (log: HomeLog, tree: MerkleTree): Promise<void> => {
  const { origin, key } = log
  const text = signCheckpoint({ origin, size: tree.size, root: tree.root() }, key)
  return replacePrivateFile(checkpointPath(log), text)
}

/**
 * The kept checkpoint's octets; none where it is gone.
 * @throws AgentError `file_not_private`, `file_unusable`
 */
export const readCheckpoint = (log: Pick<HomeLog, 'path'>): Uint8Array => {
  try {
    return readPrivateFile(checkpointPath(log))
  } catch (error) {
    if (error instanceof AgentError && error.code === 'state_missing') return new Uint8Array()
    throw error
  }
}

/**
 * Whether a log goes on from its checkpoint. The first one is signed before the first entry, so that a log without one was
 * meddled with.
 * @throws AgentError `state_malformed` where entries are gone or changed, or the checkpoint is
 */
export const requireCheckpoint = (log: HomeLog, tree: MerkleTree): void => {
  const kept = readCheckpoint(log)
  if (kept.length === 0 && tree.size === 0) return
  if (!goesOn(log, tree, new TextDecoder().decode(kept)))
    throw new AgentError('state_malformed', `${log.path} does not go on from its checkpoint`)
}

const goesOn = ({ origin, key }: HomeLog, tree: MerkleTree, text: string): boolean => {
  try {
    const { size, root } = openCheckpoint(text, { origin, publicKey: key.publicKey })
    return size <= tree.size && toHex(tree.root(size)) === toHex(root)
  } catch (error) {
    if (error instanceof ProtocolError) return false
    throw error
  }
}
