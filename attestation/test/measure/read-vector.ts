import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'
import type { LaunchInput } from '../../src/measure/launch.js'
import type { PlannedLaunch } from './vector-plan.js'

/** Where the vectors of this package are. */
export const VECTORS = fileURLToPath(new URL('../../vectors', import.meta.url))

/** The folders of launches that are there. */
export const launchFolders = (): string[] =>
  readdirSync(VECTORS).filter((name) => existsSync(join(VECTORS, name, 'launch.json')))

const file = (folder: string, name: string): Uint8Array | null =>
  existsSync(join(VECTORS, folder, name)) ? readFileSync(join(VECTORS, folder, name)) : null

const json = (folder: string, name: string): unknown =>
  JSON.parse(readFileSync(join(VECTORS, folder, name), 'utf8'))

/** What a folder says is to come of it. */
export type LaunchOutcome =
  | { readonly outcome: 'measured'; readonly digest: string }
  | { readonly outcome: 'refused'; readonly code: string }

/** The launch of a folder, and its outcome. */
export const readVector = (folder: string): { input: LaunchInput; expect: LaunchOutcome } => {
  const launch = json(folder, 'launch.json') as PlannedLaunch
  const kernel = file(folder, 'kernel.bin')
  const initrd = file(folder, 'initrd.bin')
  const input = {
    ovmf: file(folder, 'firmware.bin') ?? new Uint8Array(),
    vcpus: launch.vcpus,
    vmm: launch.vmm,
    guestFeatures: BigInt(launch.guest_features),
    ...(launch.vcpu_type === undefined ? {} : { vcpuType: launch.vcpu_type }),
    ...(launch.vcpu_sig === undefined ? {} : { vcpuSignature: Number(launch.vcpu_sig) }),
    ...(launch.append === undefined ? {} : { append: launch.append }),
    ...(launch.ovmf_hash === undefined ? {} : { ovmfHash: Buffer.from(launch.ovmf_hash, 'hex') }),
    ...(kernel === null ? {} : { kernel }),
    ...(initrd === null ? {} : { initrd }),
  }
  return { input, expect: json(folder, 'expect.json') as LaunchOutcome }
}
