import { parseArgs } from 'node:util'
import type { Profile } from './policy-bundle.js'
import { RelayError } from './relay-error.js'

/** What `--help` prints. */
export const USAGE = `parley-relay --profile confidential|software --config FILE

Runs a relay until it is stopped by SIGTERM or SIGINT. Events go to standard output, one JSON line each.

  --profile   confidential: inside an SEV-SNP guest, with a report over its keys and a sealed store; of the
              environment it takes PATH, HOME (/ or /root), LANG, TZ, TERM, PWD, SHLVL, _, INVOCATION_ID,
              JOURNAL_STREAM and SYSTEMD_EXEC_PID, and does not start where there is more;
              software: the same code without a secure processor, SELF_ASSERTED
  --config    a JSON file:
                listen            {"host": "127.0.0.1", "port": 8081}
                proxy             URL of the host-proxy to register with, or null
                advertise_url     where the host-proxy reaches this relay, or null: where it listens
                store_directory   relative to the file
                policy_directory  relative to the file
                image_digest      lower-case hex SHA-256, or null
              and, if wanted,
                collateral_directory  AMD's certificates, for a host that hands over none
                previous              digest of the keyset before this one
  --help
`

/** What the command line asks for. */
export type Command =
  | { readonly kind: 'help' }
  | { readonly kind: 'run'; readonly profile: Profile['name']; readonly config: string }

/**
 * Reads the command line.
 * @param argv without the interpreter and the program
 * @throws RelayError `usage`; `profile_refused` for the embedded profile, which has no listener to run
 */
export function parseCommandLine(argv: readonly string[]): Command {
  const { profile, config, help } = options(argv)
  if (help === true) return { kind: 'help' }
  if (profile === undefined || config === undefined)
    throw new RelayError('usage', '--profile and --config are needed')
  if (profile === 'embedded') throw new RelayError('profile_refused', 'the embedded profile has no listener')
  if (profile !== 'confidential' && profile !== 'software')
    throw new RelayError('usage', 'the profile is unknown')
  return { kind: 'run', profile, config }
}

function options(argv: readonly string[]) {
  try {
    const text = { type: 'string' } as const
    const flag = { type: 'boolean' } as const
    return parseArgs({ args: [...argv], options: { profile: text, config: text, help: flag } }).values
  } catch {
    throw new RelayError('usage', 'an option is unknown or has no value')
  }
}
