import { readFile } from 'node:fs/promises'
import { MAX_LOG_BYTES } from '../../boot/parse-event-log.js'
import type { BootAttester } from '../../boot/boot-attester.js'
import { attestationKeyDigest } from '../../boot/check-attestation-key.js'
import { readPem } from '../../certificate/pem.js'
import { AttestationError } from '../../errors.js'
import { inKernel } from '../kernel-failure.js'
import { createAttestationKey, flushKey, quoteRegisters } from './attestation-key.js'
import { readNv } from './read-nv.js'
import { openTpmDevice, type TpmDevice } from './tpm-device.js'

/** Where a machine's TPM is, and which of its keys attests. */
export type TpmOptions = {
  /** The kernel's device, such as `/dev/tpmrm0`. */
  readonly device: string
  /** The firmware's log, as the kernel keeps it. */
  readonly eventLog: string
  readonly key: 'rsa' | 'ecc'
  /** Certificates of the issuers of the key's certificate, in order, without the root; PEM. None where null. */
  readonly issuers: string | null
  /** By what the device is opened; its path tells by default. */
  readonly open?: (path: string) => Promise<TpmDevice>
}

// Where Google's TPMs have their attestation keys: certificate and template (go-tpm-tools, client/handles.go).
const INDEXES = {
  rsa: { certificate: 0x01c10000, template: 0x01c10001 },
  ecc: { certificate: 0x01c10002, template: 0x01c10003 },
} as const

// What firmware and the image's stub measure, and the registers that must stay empty. Not those that a running system
// goes on extending without a word in this log: IMA's (10), and that of services (15).
const QUOTED = [0, 1, 2, 3, 4, 5, 6, 7, 9, 11, 12, 13]

const readLog = async (path: string): Promise<Uint8Array> => {
  const log = await inKernel(`reading ${path}`, () => readFile(path), { ENOENT: 'event_log_unavailable' })
  if (log.length === 0 || log.length > MAX_LOG_BYTES)
    throw new AttestationError('event_log_unavailable', `a log of ${log.length} bytes`)
  return Uint8Array.from(log)
}

const readIssuers = async (path: string | null): Promise<readonly Uint8Array[]> =>
  path === null ? [] : readPem(await inKernel(`reading ${path}`, () => readFile(path)))

// One command at a time: a TPM has one buffer.
const inTurn = ({ exchange, close }: TpmDevice): TpmDevice => {
  let last: Promise<unknown> = Promise.resolve()
  return {
    exchange: (command) => {
      const next = last.then(() => exchange(command))
      last = next.catch(() => undefined)
      return next
    },
    close,
  }
}

const attest = async (device: TpmDevice, options: TpmOptions): Promise<BootAttester> => {
  const eventLog = await readLog(options.eventLog)
  const { certificate, template } = INDEXES[options.key]
  const akCertificates = [await readNv(device, certificate), ...(await readIssuers(options.issuers))]
  const key = await createAttestationKey(device, await readNv(device, template))
  return {
    keyDigest: await attestationKeyDigest(key.publicArea),
    record: { akPublic: key.publicArea, akCertificates, eventLog },
    quote: (qualifyingData) => quoteRegisters(device, key, QUOTED, qualifyingData),
    close: async () => {
      await flushKey(device, key)
      await device.close()
    },
  }
}

/**
 * Opens a TPM as Google's virtual machines have it: a key whose template and certificate lie in its NV memory. What it
 * hands over is judged by nobody here.
 * @throws AttestationError provider_missing, tpm_key_missing, event_log_unavailable, tpm_refused, and others of class
 * collection; certificate_malformed for the issuers
 */
export const openBootAttester = async (options: TpmOptions): Promise<BootAttester> => {
  const device = inTurn(await (options.open ?? openTpmDevice)(options.device))
  try {
    return await attest(device, options)
  } catch (error) {
    await device.close()
    throw error
  }
}
