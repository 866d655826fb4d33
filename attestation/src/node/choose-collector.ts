import { stat } from 'node:fs/promises'
import type { Collector } from '../collector.js'
import { AttestationError } from '../errors.js'
import { configfsCollector } from './configfs-tsm/configfs-collector.js'
import { kernelFiles, type TsmFiles } from './configfs-tsm/tsm-files.js'
import { inKernel, systemCode } from './kernel-failure.js'
import { DRIVERS_PACE, paceCollector } from './pace-collector.js'
import { NOTHING_AT_HAND, readCollateral } from './read-collateral.js'
import { openSevGuest } from './sev-guest/open-sev-guest.js'
import type { OpenSevGuest } from './sev-guest/sev-guest-device.js'
import { sevGuestCollector } from './sev-guest/sev-guest-collector.js'
import { processTimer, type Timer } from './timer.js'

/** An interface of the kernel that gives reports. */
export type ReportInterface = 'configfs-tsm' | 'sev-guest'

/** What the kernel is asked through. */
export type KernelPorts = {
  /** Whether there is anything at a path. Fails with the kernel's error codes. */
  readonly exists: (path: string) => Promise<boolean>
  readonly files: TsmFiles
  readonly openDevice: OpenSevGuest
  readonly timer: Timer
}

/** How to collect; what is left out is as Linux has it by default. */
export type CollectorOptions = {
  /** The report directory of configfs-tsm. */
  readonly directory?: string
  /** The device of the driver. */
  readonly device?: string
  /** VMPL to ask for, 0 to 3; by default the most privileged that the kernel may ask for. */
  readonly privilegeLevel?: number
  /** Certificates and CRLs to use beside the host's: some hosts hand over the leaf alone, or nothing. */
  readonly collateralDirectory?: string
  /** Whether the device is asked for the host's certificates too; by default it is. configfs-tsm always asks. */
  readonly hostCertificates?: boolean
  /** Whether keys are to be derived: then it is the device or nothing, since configfs-tsm has no such request. */
  readonly derivesKeys?: boolean
  readonly ports?: Partial<KernelPorts>
}

/** A collector, and by which interface it collects. */
export type ChosenCollector = { readonly by: ReportInterface; readonly collector: Collector }

const DIRECTORY = '/sys/kernel/config/tsm/report'
const DEVICE = '/dev/sev-guest'

const exists = async (path: string): Promise<boolean> => {
  try {
    await stat(path)
    return true
  } catch (error) {
    const code = systemCode(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return false
    throw error
  }
}

/**
 * The collector for what this kernel offers: configfs-tsm where there is such a directory, otherwise the device. The
 * choice is made by what is there and what is wanted, once: an interface that is there and fails is an error, never a reason to try the
 * other one. Requests are made one at a time and at the driver's pace.
 * @throws AttestationError provider_missing where neither is there, or no provider stands behind the directory;
 * provider_unexpected, collector_forbidden; certificate_malformed, crl_malformed
 */
export const chooseCollector = async (options: CollectorOptions = {}): Promise<ChosenCollector> => {
  const {
    directory = DIRECTORY,
    device = DEVICE,
    privilegeLevel = null,
    hostCertificates = true,
    derivesKeys = false,
  } = options
  const ports: KernelPorts = {
    exists,
    files: kernelFiles,
    openDevice: openSevGuest,
    timer: processTimer,
    ...options.ports,
  }
  const isThere = (path: string): Promise<boolean> =>
    inKernel(`looking for ${path}`, () => ports.exists(path))
  const { collateralDirectory } = options
  const more = collateralDirectory === undefined ? NOTHING_AT_HAND : await readCollateral(collateralDirectory)
  const choose = async (): Promise<ChosenCollector> => {
    if (!derivesKeys && (await isThere(directory))) {
      const tsm = { directory, privilegeLevel, files: ports.files }
      return { by: 'configfs-tsm', collector: await configfsCollector(tsm, more) }
    }
    if (await isThere(device)) {
      const guest = { path: device, privilegeLevel, hostCertificates, open: ports.openDevice }
      return { by: 'sev-guest', collector: await sevGuestCollector(guest, more) }
    }
    const missing = derivesKeys ? `there is no ${device}` : `there is neither ${directory} nor ${device}`
    throw new AttestationError('provider_missing', missing)
  }
  const { by, collector } = await choose()
  return { by, collector: paceCollector(collector, DRIVERS_PACE, ports.timer) }
}
