/**
 * The files of a drop, those of folders as well. Everything is taken before anything is awaited: a drop's list is empty
 * once its event is over.
 */
export const droppedFiles = async (transfer: DataTransfer): Promise<readonly File[]> =>
  (await Promise.all(Array.from(transfer.items, filesOf))).flat()

const filesOf = (item: DataTransferItem): Promise<readonly File[]> => {
  const entry = item.webkitGetAsEntry()
  if (entry !== null && isFolder(entry)) return givesHandle(item) ? ofHandle(item) : ofFolder(entry)
  const file = item.getAsFile()
  return Promise.resolve(file === null ? [] : [file])
}

// Chromium reads no entry of a page that was opened from a disk, as this one is; but it gives handles.
type HandleGiver = DataTransferItem & {
  readonly getAsFileSystemHandle: () => Promise<FileSystemDirectoryHandle | FileSystemFileHandle | null>
}

const givesHandle = (item: DataTransferItem): item is HandleGiver => 'getAsFileSystemHandle' in item

const ofHandle = async (item: HandleGiver): Promise<readonly File[]> => {
  const handle = await item.getAsFileSystemHandle()
  return handle === null ? [] : walkHandle(handle)
}

const walkHandle = async (
  handle: FileSystemDirectoryHandle | FileSystemFileHandle,
): Promise<readonly File[]> => {
  if (handle.kind === 'file') return [await handle.getFile()]
  const files: File[] = []
  for await (const inner of handle.values()) files.push(...(await walkHandle(inner)))
  return files
}

const ofFolder = async (folder: FileSystemDirectoryEntry): Promise<readonly File[]> =>
  (await Promise.all((await entriesOf(folder)).map(walkEntry))).flat()

const walkEntry = async (entry: FileSystemEntry): Promise<readonly File[]> => {
  if (isFolder(entry)) return ofFolder(entry)
  return isFile(entry) ? [await fileOf(entry)] : []
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory

const fileOf = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => {
    entry.file(resolve, reject)
  })

// A reader gives a folder in parts; an empty part ends it.
const entriesOf = async (folder: FileSystemDirectoryEntry): Promise<readonly FileSystemEntry[]> => {
  const reader = folder.createReader()
  const entries: FileSystemEntry[] = []
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) => {
      reader.readEntries(resolve, reject)
    })
    if (part.length === 0) return entries
    entries.push(...part)
  }
}
