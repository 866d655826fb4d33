import type { TsmFiles } from '../../src/node/index.js'

/** What the kernel does, and what can go wrong in it. */
export type KernelOptions = {
  /** Answers a request for a report, as the firmware would. */
  report: (inblob: Uint8Array, privilegeLevel: number) => Uint8Array
  auxblob?: Uint8Array
  provider?: string | null
  floor?: number
  /** Errors by the operation that meets them: `mkdir`, `rmdir`, `read outblob`, `write inblob`. */
  failures?: Record<string, string>
  /** Runs between the write of inblob and the read of outblob. */
  interfere?: (kernel: KernelDouble) => void
}

type Entry = { generation: number; inblob: Uint8Array | null; privilegeLevel: number }

const MOST_INBLOB_BYTES = 64
const HIGHEST_LEVEL = 3

const failure = (code: string): Error => Object.assign(new Error(`${code}: as the kernel says`), { code })

/**
 * A double of Linux's configfs-tsm, with its semantics: entries made by mkdir, binary attributes delivered when they
 * are closed and errors lost there, `generation` counting accepted writes, sizes and levels refused as the kernel does.
 */
export class KernelDouble implements TsmFiles {
  readonly entries = new Map<string, Entry>()
  readonly log: string[] = []
  readonly #options: KernelOptions

  constructor(options: KernelOptions) {
    this.#options = options
  }

  makeDirectory = (path: string): Promise<void> =>
    this.#operate('mkdir', () => {
      if (this.#options.provider === null) throw failure('ENXIO')
      if (this.entries.has(path)) throw failure('EEXIST')
      this.entries.set(path, { generation: 0, inblob: null, privilegeLevel: 0 })
    })

  removeDirectory = (path: string): Promise<void> =>
    this.#operate('rmdir', () => {
      if (!this.entries.delete(path)) throw failure('ENOENT')
    })

  read = (path: string): Promise<Uint8Array> => {
    const { entry, attribute } = this.#find(path)
    return this.#operate(`read ${attribute}`, () => this.#read(entry, attribute))
  }

  write = (path: string, data: Uint8Array | string): Promise<void> => {
    const { entry, attribute } = this.#find(path)
    return this.#operate(`write ${attribute}`, () => {
      this.#write(entry, attribute, typeof data === 'string' ? new TextEncoder().encode(data) : data)
    })
  }

  /** What another program does that uses an entry of ours. */
  overwrite(inblob: Uint8Array): void {
    for (const entry of this.entries.values()) {
      entry.inblob = inblob
      entry.generation += 1
    }
  }

  #operate<T>(operation: string, act: () => T): Promise<T> {
    this.log.push(operation)
    const code = this.#options.failures?.[operation]
    return new Promise((resolve) => {
      if (code !== undefined) throw failure(code)
      resolve(act())
    })
  }

  #find(path: string): { entry: Entry; attribute: string } {
    const slash = path.lastIndexOf('/')
    const entry = this.entries.get(path.slice(0, slash))
    if (entry === undefined) throw failure('ENOENT')
    return { entry, attribute: path.slice(slash + 1) }
  }

  #read(entry: Entry, attribute: string): Uint8Array {
    const text = (value: string): Uint8Array => new TextEncoder().encode(`${value}\n`)
    if (attribute === 'generation') return text(String(entry.generation))
    if (attribute === 'provider') return text(this.#options.provider ?? 'sev_guest')
    if (attribute === 'auxblob') return this.#options.auxblob ?? new Uint8Array()
    if (attribute !== 'outblob') throw failure('EACCES')
    this.#options.interfere?.(this)
    // The driver wants exactly 64 bytes, and says so only here.
    if (entry.inblob?.length !== MOST_INBLOB_BYTES) throw failure('EINVAL')
    return this.#options.report(entry.inblob, entry.privilegeLevel)
  }

  #write(entry: Entry, attribute: string, data: Uint8Array): void {
    if (attribute === 'privlevel') {
      const level = Number(new TextDecoder().decode(data))
      if (!(level >= (this.#options.floor ?? 0) && level <= HIGHEST_LEVEL)) throw failure('EINVAL')
      entry.privilegeLevel = level
    } else if (attribute === 'inblob') {
      if (data.length > MOST_INBLOB_BYTES) throw failure('EFBIG')
      // Refused at close: nobody hears of it.
      if (this.#options.failures?.['close inblob'] !== undefined) return
      entry.inblob = new Uint8Array(data)
    } else throw failure('EACCES')
    entry.generation += 1
  }
}
