import { expect, test } from 'vitest'
import { checkEnvironment, checkNodeOptions } from '../src/environment.js'

const refused = (name: string) =>
  expect.objectContaining({
    code: 'environment_refused',
    message: expect.stringContaining(name) as string,
  }) as Error

test.each([
  'NODE_OPTIONS',
  'NODE_PATH',
  'NODE_EXTRA_CA_CERTS',
  'NODE_TLS_REJECT_UNAUTHORIZED',
  'NODE_USE_ENV_PROXY',
  'NODE_COMPILE_CACHE',
  'NODE_DEBUG',
  'SSLKEYLOGFILE',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'OPENSSL_CONF',
  'LD_PRELOAD',
  'http_proxy',
  'HTTP_PROXY',
  'https_proxy',
  'HTTPS_PROXY',
  'ALL_PROXY',
  'no_proxy',
  'NO_PROXY',
  'OPENAI_BASE_URL',
  'LMDB_PREBUILD',
  'LMDB_RESTORE',
  'MSGPACKR_EXTRACT_PREBUILD',
  'MSGPACKR_NATIVE_ACCELERATION_DISABLED',
  'PREBUILDS_ONLY',
  'LIBC',
  'npm_config_arch',
  'DISABLE_TURBO_CALLS',
  'OPENSSL_ENGINES',
  'OPENSSL_MODULES',
  'OPENSSL_ia32cap',
  'GCONV_PATH',
  'GLIBC_TUNABLES',
  'LOCPATH',
  'LD_AUDIT',
  'LD_DEBUG',
  'LD_LIBRARY_PATH',
  'MALLOC_CONF',
  'NODE_CHANNEL_FD',
  'NODE_UNIQUE_ID',
  'NODE_PRESERVE_SYMLINKS',
  'NODE_ICU_DATA',
  'ICU_DATA',
  'ICU_TIMEZONE_FILES_DIR',
  'TZDIR',
  'UV_THREADPOOL_SIZE',
  'A_NAME_THAT_NOBODY_KNOWS',
  'path',
  '__proto__',
  'constructor',
  'not a name\n',
])('%s is refused as environment_refused, and the message names it', (name) => {
  expect(() => {
    checkEnvironment(
      Object.fromEntries([
        ['PATH', '/bin'],
        [name, 'x'],
      ]),
    )
  }).toThrow(refused(name))
})

test('an empty value is refused as well', () => {
  expect(() => {
    checkEnvironment({ NODE_OPTIONS: '' })
  }).toThrow(refused('NODE_OPTIONS'))
})

test('the value of a variable is not repeated', () => {
  try {
    checkEnvironment({ HTTPS_PROXY: 'http://user:password@proxy' })
  } catch (error) {
    expect(String(error)).not.toContain('password')
  }
  expect.assertions(1)
})

test('an ordinary environment passes', () => {
  expect(() => {
    checkEnvironment({ PATH: '/bin', HOME: '/root', LANG: 'C.UTF-8', TZ: 'Europe/Berlin', TERM: 'linux' })
    checkEnvironment({ PWD: '/', SHLVL: '1', _: '/usr/bin/node', HOME: '/', NODE_OPTIONS: undefined })
    checkEnvironment({ INVOCATION_ID: 'ab', JOURNAL_STREAM: '8:1', SYSTEMD_EXEC_PID: '7' })
  }).not.toThrow()
})

test.each([
  ['HOME', '/srv/host'],
  ['HOME', '/root/..'],
  ['TZ', '/etc/localtime'],
  ['TZ', ':UTC'],
  ['TZ', 'Europe/../../etc'],
  ['LANG', '../de'],
  ['LANG', ''],
  ['TERM', '../linux'],
])('%s is refused as environment_refused where it is %s', (name, value) => {
  expect(() => {
    checkEnvironment({ [name]: value })
  }).toThrow(refused(name))
})

test.each([
  '--inspect',
  '--inspect-brk=0.0.0.0:9229',
  '--require',
  '-r',
  '--require=./x.js',
  '--import',
  '--import=tsx',
  '--loader=x',
  '--experimental-loader',
  '--conditions=source',
  '--env-file=.env',
  '--use-openssl-ca',
  '--eval',
])('the option %s of the process is refused as environment_refused', (option) => {
  expect(() => {
    checkNodeOptions(['--max-old-space-size=512', option])
  }).toThrow(refused(option.split('=')[0] ?? ''))
})

test('other options of the process pass', () => {
  expect(() => {
    checkNodeOptions(['--max-old-space-size=512', '--frozen-intrinsics'])
  }).not.toThrow()
})
