import type { BootAttester, Collector, ExtraRoot } from '@parley/attestation'
import type { Keyset } from '@parley/protocol'
import { openAuditLog } from './audit/audit-log.js'
import { beginLog } from './audit/begin-log.js'
import type { Clock } from './clock.js'
import type { RelayConfig } from './config.js'
import { checkEnvironment } from './environment.js'
import type { Evaluator } from './evaluator/evaluator.js'
import { openEvaluator } from './evaluator/open-evaluator.js'
import { type EvidenceDesk, openEvidenceDesk } from './evidence/evidence-desk.js'
import { createReporter } from './evidence/reporter.js'
import { createGateway } from './gateway/gateway.js'
import { type Listener, openListener } from './gateway/listener.js'
import { deriveSealingKey } from './keys/derive-sealing-key.js'
import { makeRelayKeys } from './keys/make-relay-keys.js'
import type { RelayKeys } from './keys/relay-keys.js'
import { type Log, statusClass } from './log.js'
import { openModels } from './model/open-models.js'
import type { Connect } from './model/transport/connect.js'
import { wayOut } from './model/transport/way-out.js'
import { loadPolicyBundle, type PolicyBundle } from './policy-bundle.js'
import { missingSecrets, openProvisioning } from './provisioning/provision.js'
import { claimKeyId, keepRegistered } from './register.js'
import { RelayError } from './relay-error.js'
import { createSessions, type Sessions } from './session/app.js'
import { openRelayStore } from './store/open-relay-store.js'
import type { Store } from './store/store.js'

/** What a relay is started with; time, randomness and the processor are passed in. */
export type RelayOptions = {
  readonly config: RelayConfig
  /** Loaded from `config.policy_directory` if not given. */
  readonly bundle?: PolicyBundle
  /** Asks the secure processor; null in the software profile, and only there. */
  readonly collector: Collector | null
  /** The TPM that attests the boot: there where the policy bundle says that the launch ends at the firmware, and only there. Ends with the relay. */
  readonly attester?: BootAttester | null
  /** The variables of the process, which the confidential profile refuses to be steered by. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** A thread of its own if not given. Ends with the relay. */
  readonly evaluator?: Evaluator
  /** The way to other machines: if not given, straight there, or through the host-proxy in the confidential profile. */
  readonly connect?: Connect
  /** Roots beside AMD's for providers that attest: none if not given. */
  readonly providerRoots?: readonly ExtraRoot[]
  readonly clock: Clock
  /** Fresh octets of a cryptographic generator, as many as asked for. */
  readonly random: (size: number) => Uint8Array
  readonly log: Log
}

/** A relay that runs. */
export type Relay = {
  readonly keyset: Keyset
  /** Lower-case hex digest of the keyset. */
  readonly keysetDigest: string
  /** Where it listens. */
  readonly url: string
  /** Stops it: takes no more requests, and ends its keys with the process. */
  readonly close: () => Promise<void>
}

/** What is open so far, to be closed in this order. */
type Opened = {
  attester?: BootAttester | null
  unregister?: () => void
  sessions?: Sessions
  evaluator?: Evaluator
  listener?: Listener
  store?: Store
}

/**
 * Starts a relay: keys, evidence, store, audit log, sessions, gateway. If any of them fails, nothing stays open. In
 * the confidential profile there is no relay without a first report over its own keyset.
 * @throws RelayError with the code of what failed
 */
export async function startRelay(options: RelayOptions): Promise<Relay> {
  const opened: Opened = {}
  try {
    return await start(options, opened)
  } catch (error) {
    await closeAll(opened)
    throw error
  }
}

async function start(options: RelayOptions, opened: Opened): Promise<Relay> {
  const { config, collector, attester = null, clock, random, log } = options
  opened.attester = attester
  const bundle = admit(options)
  const { limits } = bundle
  const listener = (opened.listener = await openListener(config.listen, (status) => {
    const tick = Math.floor(clock.nowMs() / limits.tick_ms)
    log({ event: 'request', tick, status_class: statusClass(status) })
  }))

  const registration = { proxy: config.proxy, url: config.advertise_url ?? listener.url, clock, random }
  const keyId = await claimKeyId(registration)
  const { image_digest, previous } = config
  const boot_ak = attester?.keyDigest ?? null
  const terms = { keyId, bundle, image_digest, boot_ak, previous, now: clock.nowSeconds() }
  const keys = makeRelayKeys(terms, random)
  const { keyset, keysetDigest } = keys

  const binder = { lane: keyset.lane, keysetDigest, receiptKey: keys.receiptKey, collector, attester, random }
  const reporter = createReporter(binder, limits.report_window_ms, clock, log)
  const desk = await openEvidenceDesk(keys, reporter)

  const store = (opened.store = await openStore(options, bundle, keys, desk))
  const audit = openAuditLog({ keys, store, clock, random })
  await beginLog(audit, store, keys, config.profile)

  const { bootEvidence, attestationHash } = desk
  const evidence = { reporter, bootEvidence, attestationHash }
  const evaluator = (opened.evaluator = options.evaluator ?? (await openEvaluator(clock)))
  const models = await openModels({
    bundle,
    keys: config.provider_keys,
    connect: options.connect ?? wayOut(config),
    roots: options.providerRoots ?? [],
    audit,
    clock,
    random,
  })
  const { loadEffectPolicy } = await import('./policy/load-effect-policy.js')
  const effectPolicy = loadEffectPolicy(bundle)
  const provision = openProvisioning({ keys, bundle, models, audit })
  const asking = { bundle, effectPolicy, evaluator, models: models.services, provision, clock, random, log }
  const sessions = createSessions({ keys, store, audit, ...evidence, ...asking })
  opened.sessions = sessions
  for (const did of config.erase ?? []) log({ event: 'subject_erased', ...(await sessions.erase(did)) })
  listener.serve(
    createGateway({
      keys,
      sessions,
      desk,
      limits,
      missingSecrets: () => missingSecrets(models),
      clock,
      random,
      log,
    }),
  )
  opened.unregister = keepRegistered(registration, keyId, log)
  log({ event: 'relay_started', keyset_digest: keysetDigest, epoch: keyset.epoch, url: listener.url })
  return { keyset, keysetDigest, url: listener.url, close: () => stop(opened, log) }
}

/** Whether there may be a relay at all, and the policy that it stands under. */
function admit(options: RelayOptions): PolicyBundle {
  const { config, collector, attester = null, environment, bundle: given } = options
  checkCollector(config.profile, collector)
  if (config.profile === 'confidential') checkEnvironment(environment)
  const { policy_directory: directory, registry_directory: registry, profile } = config
  const bundle = given ?? loadPolicyBundle(directory, profile, registry)
  if (bundle.profile.name !== profile)
    throw new RelayError('profile_refused', 'the bundle is for another profile')
  checkAttester(bundle, attester)
  return bundle
}

async function openStore(
  { config, collector, random, log }: RelayOptions,
  { profile: { sealing } }: PolicyBundle,
  keys: RelayKeys,
  { bootEvidence }: EvidenceDesk,
): Promise<Store> {
  const { profile, store_directory: directory } = config
  const { epoch } = keys.keyset
  const lasting = sealing === 'snp-derived'
  const sealingKey = lasting ? await deriveSealingKey(collector, bootEvidence) : keys.sealingKey
  return openRelayStore({ profile, directory, epoch, sealingKey, lasting, random, log })
}

function checkCollector(profile: RelayConfig['profile'], collector: Collector | null): void {
  if (profile === 'confidential' && collector === null)
    throw new RelayError('collector_required', 'the confidential profile needs a secure processor')
  // Hardware evidence beside labels of the software lane would be an invitation to mix them up.
  if (profile === 'software' && collector !== null)
    throw new RelayError('collector_refused', 'the software profile has no secure processor')
}

// The bundle is measured and the configuration is not: what the host writes there can't do without the TPM.
function checkAttester({ profile }: PolicyBundle, attester: BootAttester | null): void {
  if (profile.launchCovers === 'firmware' && attester === null)
    throw new RelayError('attester_required', 'the launch ends at the firmware, and no TPM is named')
  if (profile.launchCovers === 'app' && attester !== null)
    throw new RelayError('attester_refused', 'the policy bundle does not speak of a TPM')
}

async function stop(opened: Opened, log: Log): Promise<void> {
  await closeAll(opened)
  log({ event: 'relay_stopped' })
}

async function closeAll(opened: Opened): Promise<void> {
  const { unregister, sessions, evaluator, listener, store, attester } = opened
  unregister?.()
  await sessions?.close()
  await evaluator?.close()
  await listener?.close()
  await store?.close()
  await attester?.close()
}
