import type { JsonObject } from '@parley/protocol'
import type { Artefact, ArtefactKind } from './artefact.js'

/** Artefacts by their content: what a hash, an alias or a channel names. */
export type Registry = {
  /** hash({path: hash of the file's JSON, …}) over every file: what a policy bundle pins. */
  readonly rootHash: string
  /** The artefact of a hash (64 lower-case hex digits), undefined where it is not there or not admitted. */
  readonly artefact: (kind: ArtefactKind, hash: string) => JsonObject | undefined
  /** The hash that a reference names: an alias, a channel (`NAME@latest`), `sha256:HEX` or HEX. */
  readonly resolve: (kind: ArtefactKind, reference: string) => string | undefined
  /** What the index says of each artefact, in the order of their ids, then of their hashes. */
  readonly list: (kind: ArtefactKind) => readonly Artefact[]
}

/** The registry of a relay that admits nothing by reference. */
export const NO_REGISTRY: Registry = {
  rootHash: '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a',
  artefact: () => undefined,
  resolve: () => undefined,
  list: () => [],
}
