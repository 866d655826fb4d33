import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { Image } from './image.js'
import type { Library } from './libraries.js'
import type { Package } from './packages.js'

/** All that goes into an image. */
export type Contents = {
  readonly image: Image
  /** The repository. */
  readonly root: string
  /** The Node binary. */
  readonly node: string
  readonly libraries: readonly Library[]
  readonly packages: readonly Package[]
}

// What a room has beside the code that it runs; and maps and types, which nothing reads there.
const LEFT_OUT =
  /(?:^|\/)(?:src|test|test-root|vectors|page)(?:\/|$)|\.(?:map|d\.ts|tsbuildinfo|md)$|\/tsconfig[^/]*\.json$/
const USER = 65_532
const DATA = './var/lib/parley'

/**
 * Lays out the root of an image: Node, the libraries that it needs, the code, and a folder to write to. No shell, no
 * package manager, and nobody but root and the one user.
 */
export const writeRootFolder = (contents: Contents, folder: string): void => {
  const put = (from: string, to: string): void => {
    mkdirSync(dirname(join(folder, to)), { recursive: true })
    cpSync(from, join(folder, to), { recursive: true, dereference: true })
  }
  put(contents.node, 'usr/bin/node')
  for (const { path } of contents.libraries) put(realpathSync(path), path)
  putPackages(contents, folder)
  for (const [from, to] of contents.image.files) put(join(contents.root, from), to)
  mkdirSync(join(folder, 'tmp'))
  mkdirSync(join(folder, 'etc'), { recursive: true })
  mkdirSync(join(folder, DATA), { recursive: true })
  writeFileSync(
    join(folder, 'etc/passwd'),
    `root:x:0:0::/:/nonexistent\nparley:x:${USER}:${USER}::/var/lib/parley:/nonexistent\n`,
  )
}

const putPackages = ({ root, packages }: Contents, folder: string): void => {
  for (const { place, integrity } of packages) {
    const isRoom = integrity === null
    cpSync(join(root, place), join(folder, 'app', place), {
      recursive: true,
      // A room's own rules are its own; of others' packages everything may be needed but what is nested and is placed itself.
      filter: (from) => !isLeftOut(relative(join(root, place), from), isRoom),
    })
    if (isRoom) linkRoom(join(folder, 'app'), place)
  }
}

const isLeftOut = (inside: string, isRoom: boolean): boolean =>
  inside === 'node_modules' ||
  (isRoom ? LEFT_OUT.test(inside) : /\.(?:map|d\.[cm]?ts|musl\.node)$/.test(inside))

const linkRoom = (app: string, room: string): void => {
  const link = join(app, 'node_modules/@parley', room)
  mkdirSync(dirname(link), { recursive: true })
  symlinkSync(join('../..', room), link)
}

/** Packs it: the same bytes for the same files. All is root's, but the one folder that the user may write to. */
export const packRootFolder = (folder: string, archive: string): void => {
  chmodSync(folder, 0o755)
  tar('--create', archive, folder, 0, ['--exclude', DATA, '.'])
  tar('--append', archive, folder, USER, [DATA])
}

const tar = (
  action: '--create' | '--append',
  archive: string,
  folder: string,
  owner: number,
  what: readonly string[],
): void => {
  const same = ['--sort=name', '--mtime=@0', '--format=gnu', '--numeric-owner', '--mode=u+rwX,go+rX,go-w']
  const owned = [`--owner=${owner}`, `--group=${owner}`]
  execFileSync('tar', [action, '--file', archive, '--directory', folder, ...same, ...owned, ...what])
}
