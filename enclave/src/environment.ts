import { RelayError } from './relay-error.js'

/**
 * The only variables that a confidential relay may find, and the values that they may have. A list of bad names is
 * never complete: Node, OpenSSL, ICU, the C library, the store's native code and its loader each read their own.
 * None of these names code, data or a peer of this process. Names are exact: on Linux, another case is another name.
 */
const ALLOWED_VARIABLES: ReadonlyMap<string, RegExp> = new Map([
  // Where programs lie; the relay starts none.
  ['PATH', /^/],
  // What the kernel gives its first process, and root's own. Node's loader also looks into HOME/.node_modules.
  ['HOME', /^\/(?:root)?$/],
  ['TERM', /^[\w-]+$/],
  // Names of data of the image, never paths.
  ['LANG', /^[\w.@-]+$/],
  ['TZ', /^[A-Za-z][\w+-]*(?:\/[\w+-]+)*$/],
  // A shell's notes to itself.
  ['PWD', /^/],
  ['SHLVL', /^/],
  ['_', /^/],
  // Which run of which unit this is, as systemd tells each process that it starts.
  ['INVOCATION_ID', /^/],
  ['JOURNAL_STREAM', /^/],
  ['SYSTEMD_EXEC_PID', /^/],
])

/** Options of Node that only bound memory or harden; any other may debug the process or load code into it. */
const ALLOWED_OPTIONS = /^--(?:max-old-space-size|max-semi-space-size|disable-proto|frozen-intrinsics)(?:=|$)/

/**
 * Refuses an environment that the host may steer a confidential relay with: whatever is not known to be harmless,
 * and empty values of it too, since some of them still mean something.
 * @throws RelayError `environment_refused`, naming the variables, not their values
 */
export function checkEnvironment(environment: Readonly<Record<string, string | undefined>>): void {
  const found = Object.entries(environment)
    .filter(([name, value]) => value !== undefined && ALLOWED_VARIABLES.get(name)?.test(value) !== true)
    .map(([name]) => name)
  if (found.length > 0)
    throw new RelayError('environment_refused', `set in the environment: ${found.sort().join(', ')}`)
}

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
