import { failure, type KernelDouble } from '../test/node/configfs-tsm/kernel-double.js'
import type { NodeMode } from './fuse/protocol.js'
import type { Tree } from './fuse/session.js'

const split = (path: string): { entry: string; attribute: string | null } => {
  const [, entry = '', attribute = null] = path.split('/')
  return { entry: `/${entry}`, attribute }
}

/** The report directory of configfs-tsm, in front of the double of the kernel. */
export const configfsTree = (kernel: KernelDouble): Tree => ({
  find: (path): NodeMode | null => {
    const { entry, attribute } = split(path)
    if (!kernel.entries.has(entry)) return null
    if (attribute === null) return { directory: true, mode: 0o755 }
    const mode = kernel.attributes[attribute]
    return mode === undefined ? null : { directory: false, mode }
  },
  list: (path) =>
    path === '' ? [...kernel.entries.keys()].map((entry) => entry.slice(1)) : Object.keys(kernel.attributes),
  open: (path, mode) => ({ ...kernel.open(path, mode), ioctl: null }),
  makeDirectory: (path) => {
    if (split(path).attribute !== null) throw failure('EPERM')
    kernel.make(path)
  },
  removeDirectory: (path) => {
    if (split(path).attribute !== null) throw failure('EPERM')
    kernel.remove(path)
  },
})
