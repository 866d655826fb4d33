import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAttestationKey } from '@parley/attestation'
import { bootOfImage, type BootedImage } from '../tpm/boot-of-image.js'
import { encodeEventLog } from '../tpm/encode-event-log.js'
import { eccPublic, rsaPublic } from '../tpm/encode-tpm.js'
import { certifyAttestationKey, type Dates, mintTpmIssuer, mintTpmRoot } from '../tpm/tpm-authority.js'
import { extendRegisters, openSoftwareTpm, publicAreaOf, type SoftwareTpm, writeNv } from './software-tpm.js'

/** What a software TPM was made into. */
export type ProvisionedTpm = {
  /** DER */
  readonly rootCertificate: Uint8Array
  readonly eventLogPath: string
  readonly issuersPath: string
}

/** Certificate and template, as Google's TPMs have them. */
const INDEXES = { rsa: [0x01c10000, 0x01c10001], ecc: [0x01c10002, 0x01c10003] } as const

const pem = (der: Uint8Array): string => {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}

/** Makes a software TPM into one of a machine that booted an image: registers, log, certified attestation key. */
export const provisionTpm = async (
  tpm: SoftwareTpm,
  kind: 'rsa' | 'ecc',
  image: BootedImage,
  folder: string,
  dates: Dates,
): Promise<ProvisionedTpm> => {
  const device = await openSoftwareTpm(tpm)
  const events = bootOfImage(image)
  await extendRegisters(device, events)
  const template =
    kind === 'rsa' ? rsaPublic(new Uint8Array()) : eccPublic(new Uint8Array(), new Uint8Array())
  const [certificateIndex, templateIndex] = INDEXES[kind]
  await writeNv(device, templateIndex, template)
  const { spki } = parseAttestationKey(await publicAreaOf(device, template))
  const type = kind === 'rsa' ? 'rsa' : 'ec'
  const root = mintTpmRoot(type, dates)
  const issuer = mintTpmIssuer(type, root, dates)
  await writeNv(device, certificateIndex, certifyAttestationKey(issuer, spki, dates))
  await device.close()
  const issuersPath = join(folder, 'issuers.pem')
  writeFileSync(issuersPath, pem(issuer.certificate))
  const eventLogPath = join(folder, 'event-log')
  writeFileSync(eventLogPath, encodeEventLog(events))
  return { rootCertificate: root.certificate, eventLogPath, issuersPath }
}
