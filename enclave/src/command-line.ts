import { parseArgs } from 'node:util'
import type { AuditExport } from './audit/run-export.js'
import type { Profile } from './policy-bundle.js'
import { RelayError } from './relay-error.js'

/** What `--help` prints. */
export const USAGE = `parley-relay --profile confidential|software --config FILE [--agentvault-api FILE]
parley-relay audit export --profile confidential|software --config FILE --out DIR

The first runs a relay until it is stopped by SIGTERM or SIGINT. Events go to standard output, one JSON line each.
SIGHUP: the software profile reads its policy directory anew and, if that is sound and another one, begins a new epoch
under it, as a restart would; in the confidential profile it changes nothing.

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
                registry_directory    the registry that the policy bundle pins; else the one of this build
                provider_keys         key files (0600) of the bundle's providers, by name; software profile only
                erase                 DIDs whose data is erased at the start; software profile only
                previous              digest of the keyset before this one
  --agentvault-api
              software profile only: speak AgentVault's relay API as well, over plain HTTP; a JSON file:
                agents_file           AgentVault's agents.json (0600), or null: no inboxes
                signing_seed_file     32 octets in hex (0600), made if it is not there
              and, if wanted,
                listen                {"host": "127.0.0.1", "port": 3100}
                registry_directory    artefacts beside those of the policy bundle
                provider_keys         {NAME: key file (0600)} for providers of the policy bundle
                default_provider, operator_id, dev, session_ttl_secs, processing_ttl_secs, invite_ttl_secs,
                max_completion_tokens, requests_per_minute

The second writes the logs of all epochs in the relay's store to DIR/EPOCH/{audit.log,checkpoint,keyset.json}, as
parley-verify audit reads them, whether the relay runs or not: in the software profile in the clear, in the
confidential one as sealed records with their salted leaf hashes.

  --help
`

/** What the command line asks for. */
export type Command =
  | { readonly kind: 'help' }
  | {
      readonly kind: 'run'
      readonly profile: Profile['name']
      readonly config: string
      /** The configuration of AgentVault's API, if it is wanted. */
      readonly agentvaultApi: string | undefined
    }
  | ({ readonly kind: 'audit-export' } & AuditExport)

/**
 * Reads the command line.
 * @param argv without the interpreter and the program
 * @throws RelayError `usage`; `profile_refused` for the embedded profile, which has no listener to run, and for
 * AgentVault's API in the confidential profile, which has no door that shows inputs to its host
 */
export function parseCommandLine(argv: readonly string[]): Command {
  const { values, positionals } = options(argv)
  const { profile, config, help, out, 'agentvault-api': agentvaultApi } = values
  if (help === true) return { kind: 'help' }
  const isExport = positionals.join(' ') === 'audit export'
  if (positionals.length > 0 && !isExport) throw new RelayError('usage', 'the command is unknown')
  if (profile === undefined || config === undefined)
    throw new RelayError('usage', '--profile and --config are needed')
  if (profile === 'embedded') throw new RelayError('profile_refused', 'the embedded profile has no listener')
  if (profile !== 'confidential' && profile !== 'software')
    throw new RelayError('usage', 'the profile is unknown')
  if (isExport) return exportOf(profile, config, values)
  if (out !== undefined) throw new RelayError('usage', '--out is for audit export')
  if (profile === 'confidential' && agentvaultApi !== undefined)
    throw new RelayError('profile_refused', 'the confidential profile does not speak the AgentVault API')
  return { kind: 'run', profile, config, agentvaultApi }
}

function exportOf(
  profile: Profile['name'],
  config: string,
  { out, 'agentvault-api': api }: { readonly out?: string; readonly 'agentvault-api'?: string },
): Command {
  if (out === undefined || api !== undefined)
    throw new RelayError('usage', 'audit export needs --out, and no more')
  return { kind: 'audit-export', profile, config, out }
}

function options(argv: readonly string[]) {
  try {
    const text = { type: 'string' } as const
    const flag = { type: 'boolean' } as const
    const known = { profile: text, config: text, out: text, 'agentvault-api': text, help: flag }
    return parseArgs({ args: [...argv], options: known, allowPositionals: true })
  } catch {
    throw new RelayError('usage', 'an option is unknown or has no value')
  }
}
