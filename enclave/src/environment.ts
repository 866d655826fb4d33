import { RelayError } from './relay-error.js'

/** Variables by which whoever starts a process changes the code that it runs, or whom it trusts. Lower case. */
const REFUSED_VARIABLES: ReadonlySet<string> = new Set([
  'node_options',
  'node_path',
  'node_compile_cache',
  'node_icu_data',
  'node_repl_external_module',
  'node_v8_coverage',
  'node_debug',
  'node_debug_native',
  'node_redirect_warnings',
  'node_extra_ca_certs',
  'node_tls_reject_unauthorized',
  'node_use_env_proxy',
  'ssl_cert_file',
  'ssl_cert_dir',
  'sslkeylogfile',
  'openssl_conf',
  'openssl_modules',
  'ld_preload',
  'ld_library_path',
  'ld_audit',
  'lmdb_restore',
  'http_proxy',
  'https_proxy',
  'all_proxy',
  'no_proxy',
])

/** The address of a model provider comes from the measured policy, never from here. */
const REFUSED_ENDING = '_base_url'

/** Options of Node that only bound memory or harden; any other may debug the process or load code into it. */
const ALLOWED_OPTIONS = /^--(?:max-old-space-size|max-semi-space-size|disable-proto|frozen-intrinsics)(?:=|$)/

/**
 * Refuses an environment that the host can steer a confidential relay with. Empty values are refused too: some of
 * them still mean something.
 * @throws RelayError `environment_refused`, naming the variables, not their values
 */
export function checkEnvironment(environment: Readonly<Record<string, string | undefined>>): void {
  const found = Object.keys(environment).filter(
    (name) => environment[name] !== undefined && isRefused(name.toLowerCase()),
  )
  if (found.length > 0)
    throw new RelayError('environment_refused', `set in the environment: ${found.sort().join(', ')}`)
}

const isRefused = (name: string): boolean => REFUSED_VARIABLES.has(name) || name.endsWith(REFUSED_ENDING)

/**
 * Refuses options of the Node process that would let others into a confidential relay.
 * @param options `process.execArgv`
 * @throws RelayError `environment_refused`
 */
export function checkNodeOptions(options: readonly string[]): void {
  const found = options
    .filter((option) => !ALLOWED_OPTIONS.test(option))
    .map((option) => option.split('=')[0])
  if (found.length > 0)
    throw new RelayError('environment_refused', `options of the process: ${found.join(', ')}`)
}
