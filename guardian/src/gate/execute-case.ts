import { canonicalize, type JsonValue, parseJson, ProtocolError } from '@parley/protocol'
import type { Capability, EffectCall } from './capability-registry.js'
import { endAs, factsOfCase, type GateCase, type GatePorts, pass, STOPPED, type Stage } from './gate-case.js'
import type { Identity } from './identity.js'
import { denied, failed } from './outcome.js'
import type { SecretVault } from './secret-vault.js'
import { untilAborted } from './until-aborted.js'

/** Quota: takes what the effect costs. A quota that cannot be read is spent. */
export const chargeCase = async ({ quota }: GatePorts, given: GateCase): Promise<Stage> => {
  const { identity, request } = given
  try {
    if (identity !== undefined && (await quota(identity, request))) return pass(given)
  } catch {
    // Falls through to the denial.
  }
  return endAs(given, denied('quota_exceeded'))
}

/** Capability and execution: what the host cannot do fails, and what it can is done once, after its record. */
export const executeCase = async (ports: GatePorts, given: GateCase): Promise<Stage> => {
  const { identity, request, run } = given
  if (identity === undefined) return endAs(given, denied('identity_missing'))
  const capability = ports.capabilities.find(request.effect, request.resource)
  if (capability === undefined) return endAs(given, failed('capability_missing'))
  const started = await run.advance({ event: 'started', facts: factsOfCase(given) })
  return started ? perform(given, capability, identity, ports.secrets) : STOPPED
}

const perform = async (
  given: GateCase,
  capability: Capability,
  identity: Identity,
  secrets: SecretVault,
): Promise<Stage> => {
  const signal = given.run.signalOf(given.statement.effect_id)
  const call: EffectCall = {
    effect_id: given.statement.effect_id,
    arguments: given.request.arguments,
    identity,
    signal,
    credential: (name) => revealDeclared(secrets, capability, identity, name),
  }
  try {
    const returned = await untilAborted(capability.execute(call), signal)
    return signal.aborted ? STOPPED : checkResult(given, returned, secrets)
  } catch {
    // What was thrown may hold anything, a credential too.
    return endAs(given, failed('execution_error'))
  }
}

const revealDeclared = (
  secrets: SecretVault,
  { credentials }: Capability,
  { credential_context }: Identity,
  name: string,
): string => {
  if (!credentials.includes(name))
    throw new ProtocolError('key_refused', 'the capability declares no such secret')
  return secrets.reveal(credential_context, name)
}

const checkResult = (at: GateCase, returned: JsonValue | undefined, secrets: SecretVault): Stage => {
  const result = copyOf(returned)
  if (result === undefined) return endAs(at, failed('result_malformed'))
  return secrets.isIn(result) ? endAs(at, failed('credential_in_result')) : { kind: 'completed', at, result }
}

// What the capability still holds of it can change afterwards.
const copyOf = (returned: JsonValue | undefined): JsonValue | undefined => {
  try {
    return returned === undefined ? undefined : parseJson(canonicalize(returned))
  } catch {
    return undefined
  }
}
