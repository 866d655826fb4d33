import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freshFolder } from './cleanup.js'

/** What a program that was denied the network says on its standard error when it reaches for it. */
export const NETWORK = 'reached for the network:'

// Runs before the program. Whatever way leads to a socket throws; whatever socket comes to be all the same is seen
// by the runtime itself.
const PRELOAD = `
const { writeSync } = require('node:fs')
const deny = (what) => function () {
  writeSync(2, '${NETWORK} ' + what + '\\n')
  throw new Error('${NETWORK} ' + what)
}
const ways = {
  'node:net': ['connect', 'createConnection', 'createServer'],
  'node:tls': ['connect', 'createServer'],
  'node:http': ['request', 'get', 'createServer'],
  'node:https': ['request', 'get', 'createServer'],
  'node:http2': ['connect', 'createServer', 'createSecureServer'],
  'node:dgram': ['createSocket'],
  'node:dns': ['lookup', 'lookupService', 'resolve', 'resolve4', 'resolve6', 'resolveAny', 'reverse'],
  'node:dns/promises': ['lookup', 'lookupService', 'resolve', 'resolve4', 'resolve6', 'resolveAny', 'reverse'],
  'node:child_process': ['spawn', 'spawnSync', 'exec', 'execSync', 'execFile', 'execFileSync', 'fork'],
}
for (const [name, members] of Object.entries(ways)) {
  const module = require(name)
  for (const member of members) module[member] = deny(name + '.' + member)
}
const net = require('node:net')
net.Socket.prototype.connect = deny('Socket.connect')
net.Server.prototype.listen = deny('Server.listen')
for (const name of ['fetch', 'WebSocket', 'EventSource']) if (name in globalThis) globalThis[name] = deny(name)
require('node:module').syncBuiltinESMExports()
const TYPES = /^(?:TCP|UDP|UDPSEND|TLS|PIPECONNECT|TCPCONNECT|GETADDRINFO|GETNAMEINFO|QUERY|CHANNEL|HTTPCLIENT|HTTP2)/
require('node:async_hooks').createHook({
  init: (_, type) => {
    if (TYPES.test(type)) writeSync(2, '${NETWORK} ' + type + '\\n')
  },
}).enable()
`

/** Options of node under which a program has no network, and says so if it wanted one. */
export const withoutNetwork = (): readonly string[] => {
  const file = join(freshFolder(), 'no-network.cjs')
  writeFileSync(file, PRELOAD)
  return ['--require', file]
}
