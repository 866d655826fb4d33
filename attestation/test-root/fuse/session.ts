import { constants } from 'node:fs'
import {
  encodeAttributes,
  encodeDirectory,
  encodeEntry,
  encodeInit,
  encodeIoctl,
  encodeOpen,
  encodeReply,
  encodeWritten,
  type NodeMode,
  OPCODE,
  readName,
  type Request,
} from './protocol.js'

/** An open file. Errors are thrown with the code that the system call is to end with. */
export type OpenFile = {
  readonly read: () => Uint8Array
  readonly write: (data: Uint8Array, offset: number) => void
  /** Runs before close() returns, and can't make it fail. */
  readonly close: () => void
  /** Null where the file takes none. */
  readonly ioctl:
    | ((
        command: number,
        argument: Uint8Array,
        pid: number,
      ) => Promise<{ error: string | null; argument: Uint8Array }>)
    | null
}

/** What is mounted; paths start with a slash. */
export type Tree = {
  readonly find: (path: string) => NodeMode | null
  readonly list: (path: string) => readonly string[]
  readonly open: (path: string, mode: 'r' | 'w' | 'rw') => OpenFile
  readonly makeDirectory: (path: string) => void
  readonly removeDirectory: (path: string) => void
}

const ROOT = 1
const IOCTL_IN_BYTES = 32
const WRITE_IN_BYTES = 40

const codeOf = (error: unknown): string | null =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null

const failure = (code: string): Error => Object.assign(new Error(code), { code })

const modeOf = (flags: number): 'r' | 'w' | 'rw' => {
  const access = flags & 3
  if (access === constants.O_RDWR) return 'rw'
  return access === constants.O_WRONLY ? 'w' : 'r'
}

/** Answers the kernel for one mounted tree. */
export class Session {
  /** What went wrong in here, rather than in what was asked for. */
  fault: Error | null = null
  readonly #tree: Tree
  readonly #paths = new Map<number, string>([[ROOT, '']])
  readonly #files = new Map<bigint, OpenFile>()
  #lastHandle = 0n

  constructor(tree: Tree) {
    this.#tree = tree
  }

  /** The reply to a request; null where none is due. */
  async answer(request: Request): Promise<Buffer | null> {
    if (request.opcode === OPCODE.FORGET || request.opcode === OPCODE.BATCH_FORGET) return null
    try {
      return encodeReply(request.unique, null, await this.#act(request))
    } catch (error) {
      const code = codeOf(error)
      if (code === null) this.fault ??= error instanceof Error ? error : new Error('thrown')
      return encodeReply(request.unique, code ?? 'EIO')
    }
  }

  #act(request: Request): Uint8Array | Promise<Uint8Array> {
    const { node, body } = request
    switch (request.opcode) {
      case OPCODE.INIT:
        return encodeInit()
      case OPCODE.LOOKUP:
        return this.#entry(this.#child(node, readName(body)))
      case OPCODE.GETATTR:
      case OPCODE.SETATTR:
        return encodeAttributes(node, this.#find(this.#path(node)))
      case OPCODE.MKDIR: {
        const path = this.#child(node, readName(body, 8))
        this.#tree.makeDirectory(path)
        return this.#entry(path)
      }
      case OPCODE.RMDIR:
        this.#tree.removeDirectory(this.#child(node, readName(body)))
        return new Uint8Array()
      case OPCODE.OPENDIR:
        return encodeOpen(0n)
      case OPCODE.READDIR:
        return this.#list(request)
      case OPCODE.RELEASEDIR:
        return new Uint8Array()
      default:
        return this.#actOnFile(request)
    }
  }

  #actOnFile({ opcode, node, pid, body }: Request): Uint8Array | Promise<Uint8Array> {
    if (opcode === OPCODE.OPEN) {
      const handle = ++this.#lastHandle
      this.#files.set(handle, this.#tree.open(this.#path(node), modeOf(body.readUInt32LE(0))))
      return encodeOpen(handle)
    }
    const handle = body.length < 8 ? 0n : body.readBigUInt64LE(0)
    const file = this.#files.get(handle)
    if (file === undefined) throw failure('ENOSYS')
    switch (opcode) {
      case OPCODE.READ: {
        const offset = Number(body.readBigUInt64LE(8))
        return file.read().subarray(offset, offset + body.readUInt32LE(16))
      }
      case OPCODE.WRITE: {
        const size = body.readUInt32LE(16)
        file.write(
          new Uint8Array(body.subarray(WRITE_IN_BYTES, WRITE_IN_BYTES + size)),
          Number(body.readBigUInt64LE(8)),
        )
        return encodeWritten(size)
      }
      case OPCODE.FLUSH:
        file.close()
        return new Uint8Array()
      case OPCODE.RELEASE:
        this.#files.delete(handle)
        return new Uint8Array()
      case OPCODE.IOCTL:
        return this.#ioctl(file, body, pid)
      default:
        throw failure('ENOSYS')
    }
  }

  async #ioctl({ ioctl }: OpenFile, body: Buffer, pid: number): Promise<Uint8Array> {
    if (ioctl === null) throw failure('ENOTTY')
    const given = new Uint8Array(body.subarray(IOCTL_IN_BYTES, IOCTL_IN_BYTES + body.readUInt32LE(24)))
    const { error, argument } = await ioctl(body.readUInt32LE(12), given, pid)
    return encodeIoctl(error, argument)
  }

  #list({ node, body }: Request): Uint8Array {
    return body.readBigUInt64LE(8) > 0n
      ? new Uint8Array()
      : encodeDirectory(this.#tree.list(this.#path(node)))
  }

  #path(node: number): string {
    const path = this.#paths.get(node)
    if (path === undefined) throw failure('ENOENT')
    return path
  }

  #child(node: number, name: string): string {
    return `${this.#path(node)}/${name}`
  }

  #find(path: string): NodeMode {
    const found = path === '' ? { directory: true, mode: 0o755 } : this.#tree.find(path)
    if (found === null) throw failure('ENOENT')
    return found
  }

  #entry(path: string): Uint8Array {
    const found = this.#find(path)
    const node = this.#paths.size + 1
    this.#paths.set(node, path)
    return encodeEntry(node, found)
  }
}
