import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openBootAttester, type TpmDevice } from '@parley/attestation/node'
import {
  fromBase64url,
  keysetDigest,
  parseEvidence,
  parseJson,
  qualifyingDataOf,
  sha256,
  toHex,
} from '@parley/protocol'
import { examplePolicy } from '../example-policy.js'
import type { BootedImage } from '../tpm/boot-of-image.js'
import { provisionTpm } from './provision.js'
import { FIRMWARE, recordRelay } from './record-relay.js'
import { startSoftwareTpm } from './software-tpm.js'
import { openTpmSocket } from './tpm-socket.js'

// Records attestation/vectors/boot: a relay on a simulated processor with a software TPM (swtpm), over the TPM's own
// commands. Every run makes new keys, so all of the recorded files change together.

const DAY_MS = 86_400_000
const YEARS_MS = 3650 * DAY_MS

const hashOf = (text: string): Uint8Array => createHash('sha256').update(text).digest()
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

const IMAGE = {
  uki: hashOf('a unified kernel image'),
  innerKernel: hashOf('the kernel in it'),
  commandLine: 'quiet panic=-1',
}

const RECORDINGS = [
  { folder: 'recorded-rsa-secure-boot', kind: 'rsa', secureBoot: true },
  { folder: 'recorded-ecc-without-secure-boot', kind: 'ecc', secureBoot: false },
] as const

type Exchange = { readonly command: string; readonly response: string }

const listened = (device: TpmDevice, exchanges: Exchange[]): TpmDevice => ({
  ...device,
  exchange: async (command) => {
    const response = await device.exchange(command)
    exchanges.push({ command: hex(command), response: hex(response) })
    return response
  },
})

const bootPolicy = (secureBoot: boolean) => ({
  accept: { launch: ['amd'], boot: ['google'], app: ['google'] },
  pcrs: { '0': { any: "the provider's firmware" } },
  secure_boot: secureBoot ? 'required' : { any: 'the image is known by its hash' },
  uki: { equals: hex(IMAGE.uki) },
  inner_kernels: secureBoot ? [] : [hex(IMAGE.innerKernel)],
  command_line: { equals: hex(hashOf(IMAGE.commandLine)) },
})

const hardwarePolicy = () => ({
  ...examplePolicy(),
  products: ['Milan'],
  measurement: { equals: hex(FIRMWARE) },
  launch_covers: 'firmware',
  committed_equals_current: 'require',
  chip_id: { any: 'a machine of a cloud' },
})

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

const write = (folder: string, files: Readonly<Record<string, string | Uint8Array>>): void => {
  const target = join(import.meta.dirname, '../../../attestation/vectors/boot', folder)
  mkdirSync(target, { recursive: true })
  for (const [name, content] of Object.entries(files)) writeFileSync(join(target, name), content)
}

const source = (kind: string, secureBoot: boolean): string =>
  `A relay's boot document on a simulated processor and a software TPM (swtpm): ${kind} attestation key, Secure Boot
${secureBoot ? 'on' : 'off'}. The registers were extended, the key made and the quote taken by TPM commands; the log is one that
OVMF and a stub of systemd would have written, and the certificates are of a root whose key was thrown away.
\`exchanges.json\` holds the collector's commands and what the TPM answered. Nothing in it is Google's or AMD's.

Recorded by \`node scripts/dist/boot-recording/main.js\`, which needs swtpm.
`

const filesOf = (document: Uint8Array, secureBoot: boolean): Record<string, string | Uint8Array> => {
  const { keyset, binding } = parseEvidence(parseJson(document))
  const record = binding.hardware?.boot_evidence
  if (binding.hardware === null || record == null) throw new Error('no boot evidence')
  const report_digest = toHex(sha256(fromBase64url(binding.hardware.report)))
  const quoted = { report_digest, keyset_digest: keysetDigest(keyset) }
  const bytes = (text: string): Uint8Array => fromBase64url(text)
  return {
    'ak-public.bin': bytes(record.ak_public),
    'quote.bin': bytes(record.quote),
    'signature.bin': bytes(record.signature),
    'event-log.bin': bytes(record.event_log),
    ...Object.fromEntries(
      record.ak_certificates.map((each, at) => [`ak-certificate-${at}.der`, bytes(each)]),
    ),
    'boot-policy.json': json(bootPolicy(secureBoot)),
    'qualifying-data.bin': qualifyingDataOf('confidential', quoted, record),
  }
}

const record = async ({ folder, kind, secureBoot }: (typeof RECORDINGS)[number]): Promise<void> => {
  const place = mkdtempSync(join(tmpdir(), 'parley-boot-'))
  const tpm = await startSoftwareTpm(place)
  const now = Date.now()
  const dates = { notBeforeMs: now - DAY_MS, notAfterMs: now + YEARS_MS }
  const image: BootedImage = { ...IMAGE, secureBoot }
  const { rootCertificate, eventLogPath, issuersPath } = await provisionTpm(tpm, kind, image, place, dates)
  const exchanges: Exchange[] = []
  const attester = await openBootAttester({
    device: tpm.socket,
    eventLog: eventLogPath,
    key: kind,
    issuers: issuersPath,
    open: async (path) => listened(await openTpmSocket(path), exchanges),
  })
  const { evidence, processorRoot } = await recordRelay(attester, place)
  await tpm.stop()
  rmSync(place, { recursive: true })
  write(folder, {
    ...filesOf(evidence, secureBoot),
    'evidence.json': evidence,
    'processor-root.der': processorRoot,
    'tpm-root.der': rootCertificate,
    'exchanges.json': json(exchanges),
    'hardware-policy.json': json(hardwarePolicy()),
    'expect.json': json({ now: new Date().toISOString(), boot_ak: attester.keyDigest }),
    'SOURCE.md': source(kind, secureBoot),
  })
}

for (const recording of RECORDINGS) await record(recording)
