import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { AttestationError } from '../../errors.js'
import { inKernel } from '../kernel-failure.js'
import type { TsmFiles } from './tsm-files.js'

/** One entry of the report interface, ours alone: requesters that share one overwrite each other's input. */
export type ReportRequest = {
  readonly readText: (attribute: string) => Promise<string>
  readonly readBytes: (attribute: string) => Promise<Uint8Array>
  readonly write: (attribute: string, data: Uint8Array | string) => Promise<void>
  /** A number in decimal digits. */
  readonly readNumber: (attribute: string) => Promise<bigint>
}

const PROVIDER = 'sev_guest'

const openRequest = (files: TsmFiles, path: string): ReportRequest => {
  const at = (attribute: string): string => join(path, attribute)
  const readBytes = (attribute: string): Promise<Uint8Array> =>
    inKernel(`reading ${attribute}`, () => files.read(at(attribute)), {
      // The input is there and of the right length: what the driver has left to complain about is the firmware's answer.
      EINVAL: attribute === 'outblob' ? 'firmware_refused' : 'collector_failed',
    })
  const readText = async (attribute: string): Promise<string> =>
    new TextDecoder().decode(await readBytes(attribute)).trim()
  return {
    readBytes,
    readText,
    write: (attribute, data) =>
      inKernel(`writing ${attribute}`, () => files.write(at(attribute), data), {
        // Levels under the floor, and above 3, are refused at the write.
        EINVAL: attribute === 'privlevel' ? 'privilege_level_refused' : 'collector_failed',
      }),
    readNumber: async (attribute) => {
      const text = await readText(attribute)
      if (!/^\d{1,20}$/.test(text))
        throw new AttestationError('collector_failed', `${attribute} is no number`)
      return BigInt(text)
    },
  }
}

const checkProvider = async (request: ReportRequest): Promise<void> => {
  const provider = await request.readText('provider')
  if (provider !== PROVIDER) {
    throw new AttestationError('provider_unexpected', `the provider of reports is not ${PROVIDER}`)
  }
}

const useRequest = async <T>(
  request: ReportRequest,
  use: (request: ReportRequest) => Promise<T>,
): Promise<T> => {
  await checkProvider(request)
  return use(request)
}

/**
 * Makes an entry, uses it, and removes it whatever happens.
 * @throws AttestationError provider_missing where the kernel offers no reports, provider_unexpected where they are not SNP's
 */
export const withReportRequest = async <T>(
  files: TsmFiles,
  directory: string,
  use: (request: ReportRequest) => Promise<T>,
): Promise<T> => {
  const path = join(directory, `parley-${process.pid}-${randomBytes(8).toString('hex')}`)
  await inKernel('making a request', () => files.makeDirectory(path))
  const remove = (): Promise<void> => inKernel('removing a request', () => files.removeDirectory(path))
  const used = await useRequest(openRequest(files, path), use).catch(async (error: unknown) => {
    // The first error says more than a second one from cleaning up.
    await remove().catch(() => undefined)
    throw error
  })
  await remove()
  return used
}
