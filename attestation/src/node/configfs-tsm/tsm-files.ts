import { constants } from 'node:fs'
import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises'

/** The file operations that the kernel's report interface is used by. They fail with the kernel's error codes. */
export type TsmFiles = {
  readonly makeDirectory: (path: string) => Promise<void>
  readonly removeDirectory: (path: string) => Promise<void>
  readonly read: (path: string) => Promise<Uint8Array>
  /** Opens, writes once, closes: data of a binary attribute reaches the kernel at close, which hides its error. */
  readonly write: (path: string, data: Uint8Array | string) => Promise<void>
}

/** The real ones. */
export const kernelFiles: TsmFiles = {
  makeDirectory: async (path) => {
    await mkdir(path)
  },
  removeDirectory: rmdir,
  read: (path) => readFile(path),
  // An attribute that is not there is missing, not to be created.
  write: (path, data) => writeFile(path, data, { flag: constants.O_WRONLY }),
}
