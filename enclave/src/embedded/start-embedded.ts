import type { Evidence } from '@parley/protocol'
import { openAuditLog } from '../audit/audit-log.js'
import type { Clock } from '../clock.js'
import type { Evaluator } from '../evaluator/evaluator.js'
import { openEvidenceDesk } from '../evidence/evidence-desk.js'
import { createReporter } from '../evidence/reporter.js'
import { makeRelayKeys } from '../keys/make-relay-keys.js'
import type { RelayKeys } from '../keys/relay-keys.js'
import type { Log } from '../log.js'
import type { ModelServices } from '../model/model-service.js'
import type { PolicyBundle } from '../policy-bundle.js'
import { createSessions, type Sessions } from '../session/app.js'
import type { Store } from '../store/store.js'

/** What a host program gives to a relay inside of it. */
export type EmbeddedOptions = {
  /** Of the profile `embedded`: its surfaces are checked, its hash stands in offers and receipts. */
  readonly bundle: PolicyBundle<'embedded'>
  /** The relay's keys; fresh ones if not given. */
  readonly identity?: RelayKeys
  /** Where everything is kept: durable, if the host's is. */
  readonly store: Store
  /** Runs the programs of contracts. */
  readonly evaluator: Evaluator
  /** None if not given. */
  readonly models?: ModelServices
  readonly clock: Clock
  /** Fresh octets of a cryptographic generator, as many as asked for. */
  readonly random: (size: number) => Uint8Array
  readonly log: Log
}

/** A relay inside a host program. */
export type Embedded = {
  readonly keys: RelayKeys
  readonly evidence: Evidence
  /** Answers one request that the host took in; what it proves, its signature must. Never throws. */
  readonly handle: Sessions['handle']
  /** The latest checkpoint of the log. */
  readonly checkpoint: () => string
  /** Begins nothing more; the store is the host's to close. */
  readonly close: () => Promise<void>
}

const NO_WINDOW_MS = 0

/**
 * Starts the same sessions, ledger, gate of output and log as a relay, without a listener: it opens no socket. Nothing is
 * sealed to it and nobody attests it, so the host sees all that passes; encapsulation, replay guard and ticked answers are
 * the host's, and are not among the surfaces of the profile.
 * @throws RelayError as the store's commit
 * @see protocol SPEC "Keyset"
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { bundle, store, evaluator, models = new Map(), clock, random, log } = options
  const terms = { keyId: 0, bundle, image_digest: null, previous: null, now: clock.nowSeconds() }
  const keys = options.identity ?? makeRelayKeys(terms, random)
  const { keyset, keysetDigest, receiptKey } = keys
  const binder = { lane: keyset.lane, keysetDigest, receiptKey, collector: null, random }
  const reporter = createReporter(binder, NO_WINDOW_MS, clock, log)
  const { bootEvidence, attestationHash } = await openEvidenceDesk(keys, reporter)
  const audit = openAuditLog({ keys, store, clock, random })
  await audit.append({
    event: 'relay.started',
    fields: { keyset_digest: keysetDigest, profile: bundle.profile.name },
  })
  const evidence = { reporter, bootEvidence, attestationHash }
  const sessions = createSessions({
    keys,
    store,
    audit,
    ...evidence,
    bundle,
    evaluator,
    models,
    clock,
    random,
    log,
  })
  const { handle, close } = sessions
  return { keys, evidence: bootEvidence, handle, close, checkpoint: audit.checkpoint }
}
