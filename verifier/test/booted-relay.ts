import { createHash } from 'node:crypto'
import type { BootAttester, TpmRoot } from '@parley/attestation'
import {
  type BootEvidence,
  fromBase64url,
  type Hardware,
  type JsonObject,
  type Keyset,
  keysetDigest,
  qualifyingDataOf,
  sha256,
  toBase64url,
  toHex,
} from '@parley/protocol'
import { bootOfImage, type BootedImage, createSimulatedTpm, type SimulatedTpm } from '@parley/scripts'
import { keysetOf, NOW, type Reporter } from './minted-bundle.js'
import { type SimulatedRelay, simulateRelay } from './simulated-relay.js'

const DAY = 86_400_000
const hashOf = (text: string): Uint8Array => createHash('sha256').update(text).digest()

export const IMAGE: BootedImage = {
  uki: hashOf('an image'),
  innerKernel: hashOf('the kernel in it'),
  commandLine: 'quiet',
  secureBoot: true,
}

const BOOT: JsonObject = {
  accept: { launch: ['amd'], boot: ['google'], app: ['google'] },
  pcrs: { '0': { any: "the provider's firmware" } },
  secure_boot: 'required',
  uki: { equals: toHex(IMAGE.uki) },
  inner_kernels: [],
  command_line: { equals: toHex(hashOf(IMAGE.commandLine)) },
}

/** A relay on a simulated chip whose launch measurement ends at the firmware, with a TPM that attests the rest. */
export type BootedRelay = {
  readonly chip: SimulatedRelay
  readonly tpm: SimulatedTpm
  readonly keyset: Keyset
  readonly reporter: NonNullable<Reporter>
  /** The root of its TPM, as if it were Google's. */
  readonly tpmRoots: readonly TpmRoot[]
  readonly policy: JsonObject
}

/** A TPM of another machine, which booted what it was given. */
export const anotherTpm = (image: BootedImage = IMAGE): Promise<SimulatedTpm> =>
  createSimulatedTpm({
    events: bootOfImage(image),
    dates: { notBeforeMs: NOW - DAY, notAfterMs: NOW + DAY },
  })

/** What a TPM attests beside a report. */
export const bootEvidenceFor = async (
  attester: BootAttester,
  keyset: Keyset,
  { report }: Hardware,
): Promise<BootEvidence> => {
  const { akPublic, akCertificates, eventLog } = attester.record
  const record = {
    ak_public: toBase64url(akPublic),
    ak_certificates: akCertificates.map(toBase64url),
    event_log: toBase64url(eventLog),
  }
  const quoted = { report_digest: toHex(sha256(fromBase64url(report))), keyset_digest: keysetDigest(keyset) }
  const { quote, signature } = await attester.quote(qualifyingDataOf('confidential', quoted, record))
  return { ...record, quote: toBase64url(quote), signature: toBase64url(signature) }
}

/** Starts one. */
export const bootRelay = async (image: BootedImage = IMAGE): Promise<BootedRelay> => {
  const chip = await simulateRelay()
  const tpm = await anotherTpm(image)
  const keyset: Keyset = { ...keysetOf('confidential'), boot_ak: tpm.attester.keyDigest }
  const { hardware } = chip.policy
  return {
    chip,
    tpm,
    keyset,
    reporter: async (reportData) => {
      const report = await chip.reporter(reportData)
      return { ...report, boot_evidence: await bootEvidenceFor(tpm.attester, keyset, report) }
    },
    tpmRoots: [{ certificate: tpm.rootCertificate, kind: 'google' }],
    policy: {
      ...chip.policy,
      hardware: { ...(hardware as JsonObject), launch_covers: 'firmware' },
      boot: BOOT,
    },
  }
}
