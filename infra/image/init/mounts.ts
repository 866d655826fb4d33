import { writeFileSync } from 'node:fs'
import { mount } from './libc.js'

const RDONLY = 1
const NOSUID = 2
const NODEV = 4
const NOEXEC = 8
const REMOUNT = 32

const CLOSED = NOSUID | NODEV | NOEXEC

/** The file systems of the kernel. */
export function mountKernelFiles(): void {
  mount('proc', '/proc', 'proc', CLOSED, null)
  mount('sysfs', '/sys', 'sysfs', CLOSED, null)
  mount('devtmpfs', '/dev', 'devtmpfs', NOSUID | NOEXEC, null)
  mount('securityfs', '/sys/kernel/security', 'securityfs', CLOSED | RDONLY, null)
  mount('tmpfs', '/run', 'tmpfs', CLOSED, 'size=16m,mode=755')
}

/** Where reports are asked for; the module must be loaded. */
export const mountConfigfs = (): number => mount('configfs', '/sys/kernel/config', 'configfs', CLOSED, null)

/** A disk that holds what the relay has sealed. */
export const mountDisk = (device: string, target: string): number =>
  mount(device, target, 'ext4', CLOSED, null)

/** From here on nothing of the image can be written, whoever tries. */
export function closeRoot(): void {
  mount(null, '/', null, REMOUNT | RDONLY, null)
  mount(null, '/sys', null, REMOUNT | CLOSED | RDONLY, null)
}

/** Settings of the kernel, each to what closes a way in. */
export function closeKernel(): void {
  const set = (name: string, value: string): void => {
    writeFileSync(`/proc/sys/${name}`, value)
  }
  // What is loaded by now is all that will ever be.
  set('kernel/modules_disabled', '1')
  set('kernel/kexec_load_disabled', '1')
  set('kernel/sysrq', '0')
  set('kernel/dmesg_restrict', '1')
  set('kernel/kptr_restrict', '2')
  set('kernel/unprivileged_bpf_disabled', '1')
  set('user/max_user_namespaces', '0')
}
