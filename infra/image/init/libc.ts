import { getSystemErrorName } from 'node:util'
import koffi from 'koffi'
import { BootError, type BootErrorCode } from './boot-error.js'

const libc = koffi.load('libc.so.6')

type Call = (...args: readonly unknown[]) => unknown

/** A call that answers -1 where it fails. */
const checked =
  (name: string, call: Call, code: BootErrorCode) =>
  (...args: readonly unknown[]): number => {
    const result = Number(call(...args))
    if (result === -1) throw new BootError(code, `${name}: ${getSystemErrorName(-koffi.errno())}`)
    return result
  }

/** What Node has no call for. Everything here is called before the relay is, on the main thread. */
export const mount = checked(
  'mount',
  libc.func(
    'int mount(const char *source, const char *target, const char *type, unsigned long flags, const char *data)',
  ),
  'mount_failed',
)
export const finitModule = checked(
  'finit_module',
  libc.func('long syscall(long number, int fd, const char *parameters, int flags)'),
  'module_failed',
)
export const socket = checked(
  'socket',
  libc.func('int socket(int family, int type, int protocol)'),
  'network_failed',
)
export const bind = checked(
  'bind',
  libc.func('int bind(int fd, void *address, unsigned int size)'),
  'network_failed',
)
export const setsockopt = checked(
  'setsockopt',
  libc.func('int setsockopt(int fd, int level, int name, void *value, unsigned int size)'),
  'network_failed',
)
export const sendto = checked(
  'sendto',
  libc.func(
    'long sendto(int fd, void *data, unsigned long size, int flags, void *address, unsigned int address_size)',
  ),
  'network_failed',
)
export const networkIoctl = checked(
  'ioctl',
  libc.func('ioctl', 'int', ['int', 'unsigned long', 'void *']),
  'network_failed',
)
export const diskIoctl = checked(
  'ioctl',
  libc.func('ioctl', 'int', ['int', 'unsigned long', 'void *']),
  'disk_refused',
)
export const prctl = checked(
  'prctl',
  libc.func('int prctl(int option, unsigned long a, unsigned long b, unsigned long c, unsigned long d)'),
  'privileges_failed',
)
export const capset = checked(
  'capset',
  libc.func('int capset(void *header, void *data)'),
  'privileges_failed',
)

const receive: Call = libc.func('long recv(int fd, void *data, unsigned long size, int flags)')

/** How many bytes came, or null where none came in time. */
export const recv = (fd: number, data: Buffer): number | null => {
  const size = Number(receive(fd, data, data.length, 0))
  return size === -1 ? null : size
}

/** Where bytes stand in memory, for structures that point at others. */
export const addressOf = (bytes: Buffer): bigint => koffi.address(bytes)
