import type { Evidence, Keyset } from '@parley/protocol'
import { openAuditLog } from '../audit/audit-log.js'
import { beginLog } from '../audit/begin-log.js'
import type { Clock } from '../clock.js'
import type { Evaluator } from '../evaluator/evaluator.js'
import { openEvidenceDesk } from '../evidence/evidence-desk.js'
import { createReporter } from '../evidence/reporter.js'
import { makeRelayKeys } from '../keys/make-relay-keys.js'
import type { RelayKeys } from '../keys/relay-keys.js'
import type { Log } from '../log.js'
import type { ModelServices } from '../model/model-service.js'
import type { PolicyBundle } from '../policy-bundle.js'
import { RelayError } from '../relay-error.js'
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
  /** Erases what is held of a participant. */
  readonly erase: Sessions['erase']
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
 * @throws RelayError `profile_refused` on keys that were made for another profile or bundle; as the store's commit
 * @see protocol SPEC "Keyset"
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { bundle, store, evaluator, models = new Map(), clock, random, log } = options
  const terms = { keyId: 0, bundle, image_digest: null, previous: null, now: clock.nowSeconds() }
  const keys = options.identity ?? makeRelayKeys(terms, random)
  const { keyset, keysetDigest, receiptKey } = keys
  checkIdentity(keyset, bundle)
  const binder = { lane: keyset.lane, keysetDigest, receiptKey, collector: null, random }
  const reporter = createReporter(binder, NO_WINDOW_MS, clock, log)
  const { bootEvidence, attestationHash } = await openEvidenceDesk(keys, reporter)
  const audit = openAuditLog({ keys, store, clock, random })
  await beginLog(audit, store, keys, bundle.profile.name)
  const evidence = { reporter, bootEvidence, attestationHash }
  const { loadEffectPolicy } = await import('../policy/load-effect-policy.js')
  const sessions = createSessions({
    keys,
    store,
    audit,
    ...evidence,
    bundle,
    effectPolicy: loadEffectPolicy(bundle),
    evaluator,
    models,
    clock,
    random,
    log,
  })
  const { handle, erase, close } = sessions
  return { keys, evidence: bootEvidence, handle, erase, close, checkpoint: audit.checkpoint }
}

/** Receipts name profile and bundle by the keyset: keys of another one would promise what nobody here enforces. */
function checkIdentity({ lane, release }: Keyset, { hash, profile }: PolicyBundle<'embedded'>): void {
  const isOwn = release.policy_bundle_hash === hash && release.profile_hash === profile.hash
  if (lane !== 'software' || release.profile !== profile.name || !isOwn)
    throw new RelayError('profile_refused', 'the keys are of another profile or policy bundle')
}
