import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from './run.js'

const SOURCES = [
  'debian bookworm',
  'debian-security bookworm-security',
  'debian bookworm-backports',
  'debian trixie',
]

const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg'

/** An apt of our own: it knows the suites of the pins, and leaves the system's lists and packages alone. */
export type PrivateApt = {
  /** Fetches packages into a folder, each as `NAME=VERSION` or `NAME/SUITE`. */
  readonly download: (packages: readonly string[], folder: string) => void
}

/**
 * Sets it up in a folder, with fresh lists.
 * @param folder is made if it is not there
 */
export function openPrivateApt(folder: string): PrivateApt {
  for (const each of ['state/lists/partial', 'cache/archives/partial'])
    mkdirSync(join(folder, each), { recursive: true })
  const sources = join(folder, 'sources.list')
  writeFileSync(
    sources,
    SOURCES.map((suite) => `deb [signed-by=${KEYRING}] http://deb.debian.org/${suite} main\n`).join(''),
  )
  const config = join(folder, 'apt.conf')
  writeFileSync(config, configuration(folder, sources))
  const apt = (args: readonly string[], cwd: string): string =>
    run('apt-get', ['-q', ...args], { cwd, env: { APT_CONFIG: config } })
  apt(['update'], folder)
  return {
    download: (packages, into) => {
      apt(['download', ...packages], into)
    },
  }
}

const configuration = (folder: string, sources: string): string =>
  [
    `Dir::State "${join(folder, 'state')}";`,
    `Dir::Cache "${join(folder, 'cache')}";`,
    `Dir::Etc::SourceList "${sources}";`,
    'Dir::Etc::SourceParts "/dev/null";',
    'Dir::Etc::PreferencesParts "/dev/null";',
    'APT::Architecture "amd64";',
    'APT::Sandbox::User "root";',
    'Acquire::Languages "none";',
    '',
  ].join('\n')
