import { isErased, type ReadAuditLog } from '@parley/guardian'
import { openCheckpoint, ProtocolError, signCheckpoint, toHex } from '@parley/protocol'
import { asciiJson } from '@parley/verifier/node'
import { AgentError } from '../agent-error.js'
import type { HomeLog } from '../audit/home-log.js'
import type { LogName } from '../audit/log-names.js'
import { readSoundLog } from '../audit/read-log.js'
import { openLogs } from './audit-desk.js'
import type { HomeOption } from './home.js'
import type { Io } from './io.js'
import { readNamedFile } from './read-input.js'
import { writeNewFile } from './write-new-file.js'

/** The options of `parley audit prove`. */
export type ProveOptions = HomeOption & {
  readonly entry?: number
  readonly since?: string
  readonly out?: string
}

/**
 * `parley audit prove`: signs a checkpoint of a log as it is now, and proves under it that an entry is in the log, or that
 * the log goes on from an earlier checkpoint. Whoever holds two that do not go together has proof of a rewritten log.
 */
export const runAuditProve = async (name: LogName, options: ProveOptions, io: Io): Promise<number> => {
  if (options.entry !== undefined && options.since !== undefined)
    throw new AgentError('argument_invalid', 'prove an entry or growth, one at a time')
  const [log] = await openLogs(name, options, io)
  if (log === undefined) throw new AgentError('argument_invalid', 'no such log')
  const text = await proofOf(log, readSoundLog(log.path), options)
  if (options.out === undefined) io.out(text)
  else await writeNewFile(options.out, () => Promise.resolve(text))
  return 0
}

const proofOf = async (log: HomeLog, reading: ReadAuditLog, options: ProveOptions): Promise<string> => {
  const { tree } = reading
  const checkpoint = signCheckpoint({ origin: log.origin, size: tree.size, root: tree.root() }, log.key)
  if (options.entry !== undefined) return asciiJson(inclusionOf(reading, options.entry, checkpoint))
  if (options.since === undefined) return checkpoint
  const first = new TextDecoder().decode(await readNamedFile(options.since))
  return asciiJson({
    version: 'parley-audit-consistency-v1',
    first,
    second: checkpoint,
    path: growthFrom(log, reading, first),
  })
}

const inclusionOf = ({ records, tree }: ReadAuditLog, index: number, checkpoint: string): object => {
  const record = records[index]
  if (record === undefined)
    throw new AgentError('argument_invalid', `the log has ${tree.size} entries, from 0 on`)
  if (isErased(record)) throw new AgentError('argument_invalid', 'the entry was erased')
  const path = tree.inclusionPath(index).map(toHex)
  return {
    version: 'parley-audit-inclusion-v1',
    ...record,
    leaf_index: index,
    leaf_hash: toHex(tree.leaf(index)),
    path,
    checkpoint,
  }
}

const growthFrom = ({ origin, key }: HomeLog, { tree }: ReadAuditLog, first: string): readonly string[] => {
  const { size, root } = openCheckpoint(first, { origin, publicKey: key.publicKey })
  if (size > tree.size || toHex(tree.root(size)) !== toHex(root))
    throw new ProtocolError('tree_malformed', 'the log does not go on from that checkpoint')
  return tree.consistencyPath(size).map(toHex)
}
