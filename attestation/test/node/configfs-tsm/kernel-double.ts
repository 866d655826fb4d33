import { createHash } from 'node:crypto'
import type { TsmFiles } from '../../../src/node/index.js'

/** What the kernel does, and what can go wrong in it. */
export type KernelOptions = {
  /** Answers a request for a report, as the firmware would. */
  report: (reportData: Uint8Array, privilegeLevel: number) => Uint8Array
  auxblob?: Uint8Array
  provider?: string | null
  floor?: number
  /** The manifest of an SVSM's services; without it there is no SVSM. */
  manifest?: Uint8Array
  /** Errors by the operation that meets them: `mkdir`, `rmdir`, `read outblob`, `write inblob`, `close inblob`. */
  failures?: Record<string, string>
  /** Runs before a read of outblob, or of auxblob. */
  interfere?: (kernel: KernelDouble, attribute: string) => void
}

type Blobs = { generation: number; outblob: Uint8Array; auxblob: Uint8Array; manifestblob: Uint8Array }

type Entry = {
  generation: number
  inblob: Uint8Array | null
  privilegeLevel: number
  serviceProvider: string | null
  blobs: Blobs | null
}

/** An open attribute. */
export type OpenAttribute = {
  read: () => Uint8Array
  /** Text is taken at once; what is binary is kept until it is closed. */
  write: (data: Uint8Array, offset?: number) => void
  close: () => void
}

const MOST_INBLOB_BYTES = 64
const HIGHEST_LEVEL = 3
const NONE = new Uint8Array()

/** Who may do what with an attribute. The kernel holds even root to it. */
const ATTRIBUTE_MODES: Readonly<Record<string, number>> = {
  inblob: 0o200,
  outblob: 0o400,
  auxblob: 0o400,
  generation: 0o444,
  provider: 0o444,
  privlevel: 0o200,
  privlevel_floor: 0o444,
}

/** Those that are there only under an SVSM. */
const SVSM_MODES: Readonly<Record<string, number>> = {
  manifestblob: 0o400,
  service_provider: 0o200,
  service_guid: 0o200,
  service_manifest_version: 0o200,
}

const GUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** An error of a system call. */
export const failure = (code: string): Error =>
  Object.assign(new Error(`${code}: as the kernel says`), { code })

const numberOf = (data: Uint8Array): number => {
  const text = new TextDecoder().decode(data).trim()
  if (!/^\d+$/.test(text)) throw failure('EINVAL')
  return Number(text)
}

/**
 * A double of Linux's configfs-tsm and of the driver behind it, with their semantics: entries made by mkdir, binary
 * attributes delivered when they are closed and errors lost there, reports made at the first read and kept until the
 * next write, `generation` counting accepted writes, sizes and levels refused as the kernel does.
 */
export class KernelDouble implements TsmFiles {
  readonly entries = new Map<string, Entry>()
  readonly log: string[] = []
  readonly options: KernelOptions

  constructor(options: KernelOptions) {
    this.options = options
  }

  makeDirectory = (path: string): Promise<void> =>
    this.#call(() => {
      this.make(path)
    })

  removeDirectory = (path: string): Promise<void> =>
    this.#call(() => {
      this.remove(path)
    })

  read = (path: string): Promise<Uint8Array> => this.#call(() => this.open(path, 'r').read())

  write = (path: string, data: Uint8Array | string): Promise<void> =>
    this.#call(() => {
      const attribute = this.open(path, 'w')
      attribute.write(typeof data === 'string' ? new TextEncoder().encode(data) : data)
      attribute.close()
    })

  make(path: string): void {
    this.#note('mkdir')
    if (this.options.provider === null) throw failure('ENXIO')
    if (this.entries.has(path)) throw failure('EEXIST')
    const none = { inblob: null, serviceProvider: null, blobs: null }
    this.entries.set(path, { generation: 0, privilegeLevel: 0, ...none })
  }

  remove(path: string): void {
    this.#note('rmdir')
    if (!this.entries.delete(path)) throw failure('ENOENT')
  }

  /** The attributes that an entry has. */
  get attributes(): Readonly<Record<string, number>> {
    return this.options.manifest === undefined ? ATTRIBUTE_MODES : { ...ATTRIBUTE_MODES, ...SVSM_MODES }
  }

  open(path: string, mode: 'r' | 'w' | 'rw'): OpenAttribute {
    const slash = path.lastIndexOf('/')
    const name = path.slice(slash + 1)
    const entry = this.entries.get(path.slice(0, slash))
    const allowed = this.attributes[name]
    if (entry === undefined || allowed === undefined) throw failure('ENOENT')
    if (mode.includes('r') && (allowed & 0o444) === 0) throw failure('EACCES')
    if (mode.includes('w') && (allowed & 0o222) === 0) throw failure('EACCES')
    return name === 'inblob' ? this.#openInblob(entry) : this.#openOther(entry, name)
  }

  /** What another program does that uses an entry of ours. */
  overwrite(inblob: Uint8Array): void {
    for (const entry of this.entries.values()) {
      entry.inblob = inblob
      entry.generation += 1
    }
  }

  #call<T>(act: () => T): Promise<T> {
    return new Promise((resolve) => {
      resolve(act())
    })
  }

  #note(operation: string): void {
    this.log.push(operation)
    const code = this.options.failures?.[operation]
    if (code !== undefined) throw failure(code)
  }

  #openInblob(entry: Entry): OpenAttribute {
    let held: Uint8Array | null = null
    return {
      read: () => {
        throw failure('EACCES')
      },
      write: (data, offset = 0) => {
        this.#note('write inblob')
        const end = offset + data.length
        if (end > MOST_INBLOB_BYTES) throw failure('EFBIG')
        const grown = new Uint8Array(Math.max(end, held?.length ?? 0))
        grown.set(held ?? NONE)
        grown.set(data, offset)
        held = grown
      },
      close: () => {
        // Whatever goes wrong here, close() returns 0.
        if (held === null || this.options.failures?.['close inblob'] !== undefined) return
        entry.inblob = held
        entry.generation += 1
        held = null
      },
    }
  }

  #openOther(entry: Entry, name: string): OpenAttribute {
    let content: Uint8Array | null = null
    return {
      read: () => {
        if (content === null) {
          this.#note(`read ${name}`)
          content = this.#read(entry, name)
        }
        return content
      },
      write: (data) => {
        this.#note(`write ${name}`)
        this.#writeText(entry, name, data)
      },
      close: () => undefined,
    }
  }

  #read(entry: Entry, name: string): Uint8Array {
    const text = (value: string | number): Uint8Array => new TextEncoder().encode(`${value}\n`)
    if (name === 'generation') return text(entry.generation)
    if (name === 'privlevel_floor') return text(this.options.floor ?? 0)
    if (name === 'provider') return text(this.options.provider ?? 'sev_guest')
    this.options.interfere?.(this, name)
    const blobs = this.#blobs(entry)
    if (name === 'auxblob') return blobs.auxblob
    return name === 'manifestblob' ? blobs.manifestblob : blobs.outblob
  }

  #blobs(entry: Entry): Blobs {
    if (entry.blobs?.generation === entry.generation) return entry.blobs
    const { report, auxblob = NONE, floor = 0, manifest = NONE } = this.options
    // The driver wants exactly 64 bytes, and says so only here; so does the firmware about its levels.
    if (entry.inblob?.length !== MOST_INBLOB_BYTES) throw failure('EINVAL')
    if (entry.serviceProvider !== null && entry.serviceProvider !== 'svsm') throw failure('EINVAL')
    const ofSvsm = entry.serviceProvider === 'svsm'
    if (!ofSvsm && entry.privilegeLevel < floor) throw failure('EINVAL')
    const bound = ofSvsm ? createHash('sha512').update(entry.inblob).update(manifest).digest() : entry.inblob
    const outblob = report(new Uint8Array(bound), ofSvsm ? 0 : entry.privilegeLevel)
    const manifestblob = ofSvsm ? manifest : NONE
    return (entry.blobs = { generation: entry.generation, outblob, auxblob, manifestblob })
  }

  #writeText(entry: Entry, name: string, data: Uint8Array): void {
    if (name === 'privlevel') {
      const level = numberOf(data)
      if (level < (this.options.floor ?? 0) || level > HIGHEST_LEVEL) throw failure('EINVAL')
      entry.privilegeLevel = level
    } else if (name === 'service_provider') {
      entry.serviceProvider = new TextDecoder().decode(data).trim()
    } else if (name === 'service_guid') {
      if (!GUID.test(new TextDecoder().decode(data).trim())) throw failure('EINVAL')
    } else numberOf(data)
    entry.generation += 1
  }
}
