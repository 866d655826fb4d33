import { type Check, CheckLog } from '../checks.js'
import { equalBytes } from '../equal-bytes.js'
import { AttestationError, demand } from '../errors.js'
import { type Terms, toMilliseconds } from '../evidence.js'
import type { Reasoned } from '../policy/appraisal-policy.js'
import {
  BOOT_CHECKS,
  type BootAppraisal,
  type BootCheckName,
  type BootEvidence,
  EXPECTED_OF_BOOT,
  type ExpectedBoot,
} from './boot-appraisal.js'
import { type BootFacts, readBootFacts } from './boot-facts.js'
import type { BootPolicy } from './boot-policy.js'
import { checkAttestationKey } from './check-attestation-key.js'
import { BOOT_RULES } from './check-boot-policy.js'
import { checkQuotedRegisters } from './check-quoted-registers.js'
import { parseAttestationKey } from './parse-attestation-key.js'
import { parseEventLog } from './parse-event-log.js'
import { parsePcrQuote } from './parse-pcr-quote.js'
import { parseQuoteSignature } from './parse-quote-signature.js'
import { replayEventLog } from './replay-event-log.js'
import { parseTpmCertificate } from './tpm-certificate.js'
import { readTpmRoots, verifyKeyCertificate } from './verify-key-certificate.js'
import { verifySha256Signature } from './verify-sha256-signature.js'

// The verifier's own arithmetic on bytes that some TPM signed.
const BARE: readonly BootCheckName[] = ['boot_format', 'boot_key']

const parse = (evidence: BootEvidence) => ({
  key: parseAttestationKey(evidence.akPublic),
  certificates: evidence.akCertificates.map(parseTpmCertificate),
  quote: parsePcrQuote(evidence.quote),
  signature: parseQuoteSignature(evidence.signature),
  log: parseEventLog(evidence.eventLog),
})

type Parsed = ReturnType<typeof parse>

const checkQuote = async ({ key, quote, signature }: Parsed): Promise<void> => {
  const holds =
    signature.scheme === key.scheme &&
    (await verifySha256Signature(key.scheme, key.spki, quote.signed, signature.value))
  demand(holds, 'quote_signature_invalid', 'the quote is not signed by the attestation key')
}

const leftOpen = (policy: BootPolicy): readonly Reasoned[] => [
  ...Object.entries(policy.pcrs).flatMap(([pcr, expected]) =>
    'any' in expected ? [{ check: `boot_pcrs.${pcr}`, reason: expected.any }] : [],
  ),
  ...(policy.secure_boot === 'required'
    ? []
    : [{ check: 'boot_secure_boot', reason: policy.secure_boot.any }]),
]

type Log = CheckLog<BootCheckName>

const judgeExpected = async (
  log: Log,
  { quote, log: events }: Parsed,
  registers: readonly Uint8Array[],
  policy: BootPolicy | null,
): Promise<BootFacts | null> => {
  const facts = (await log.attemptAsync('boot_events', () => readBootFacts(events.events))) ?? null
  if (facts === null || policy === null) return facts
  const boot = { facts, quoted: quote.pcrs, registers, policy }
  for (const name of EXPECTED_OF_BOOT) log.judge(`boot_${name}`, BOOT_RULES[name], boot)
  return facts
}

const judgeQuoted = async (
  log: Log,
  parsed: Parsed,
  { keyDigest, qualifyingData }: ExpectedBoot,
): Promise<readonly Uint8Array[] | undefined> => {
  await log.attemptAsync('boot_key', () => checkAttestationKey(parsed.key, keyDigest))
  await log.attemptAsync('boot_quote', () => checkQuote(parsed))
  log.attempt('boot_qualifying_data', () => {
    const same = equalBytes(parsed.quote.qualifyingData, qualifyingData)
    demand(same, 'qualifying_data_mismatch', 'the quote was made for another report or keyset')
  })
  return log.attemptAsync('boot_log', async () => {
    const registers = await replayEventLog(parsed.log)
    await checkQuotedRegisters(parsed.quote, registers)
    return registers
  })
}

/**
 * Appraises boot evidence: who certifies the key that attests, was this what it was asked, what was booted, and is that
 * what was expected? Every check that can run runs; bad evidence never throws.
 * @param terms `now`, and `tpmRoots`: without any, `boot_root` is not run, with the code root_missing
 * @throws AttestationError argument_invalid for `now` or a root
 * @see TPM 2.0 Library, Part 1, §18.6; TCG PC Client Platform Firmware Profile, §10
 */
export const appraiseBoot = async (
  evidence: BootEvidence,
  expected: ExpectedBoot,
  terms: Pick<Terms, 'now' | 'tpmRoots'>,
): Promise<BootAppraisal> => {
  const nowMs = toMilliseconds(terms.now)
  const anchors = readTpmRoots(terms.tpmRoots ?? [])
  const log = new CheckLog<BootCheckName>(BOOT_CHECKS)
  const { policy } = expected
  const anys = policy === null ? [] : leftOpen(policy)
  const parsed = log.attempt('boot_format', () => parse(evidence))
  if (parsed === undefined) return { checks: log.conclude('nobody'), root: 'nobody', facts: null, anys }
  const registers = await judgeQuoted(log, parsed, expected)
  const { key, certificates } = parsed
  const vouch = () => verifyKeyCertificate(key.spki, certificates, anchors, nowMs)
  const root = (await log.attemptAsync('boot_root', vouch)) ?? 'nobody'
  const facts = registers === undefined ? null : await judgeExpected(log, parsed, registers, policy)
  return { checks: log.conclude(root, BARE).map(withoutRoot), root, facts, anys }
}

// A root that the caller does not have is no fault of the evidence.
const withoutRoot = (check: Check<BootCheckName>): Check<BootCheckName> =>
  check.code === 'root_missing' ? { ...check, result: 'not_run' } : check

/** Evidence that is not there, though a keyset names an attestation key or a policy expects something of the boot. */
export const missingBoot = (): BootAppraisal => {
  const log = new CheckLog<BootCheckName>(BOOT_CHECKS)
  log.attempt('boot_format', () => {
    throw new AttestationError('boot_evidence_missing', 'no quote accompanies the report')
  })
  return { checks: log.conclude('nobody'), root: 'nobody', facts: null, anys: [] }
}
