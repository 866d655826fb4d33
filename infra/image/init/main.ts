import { writeFileSync } from 'node:fs'
import { becomeRelay, handOver } from './become-relay.js'
import { BootError } from './boot-error.js'
import { growFileSystem, prepareDataDisk } from './data-disk.js'
import type { Answered } from './dhcp-message.js'
import { readModules, readRelayConfig } from './image-facts.js'
import { findInterface, type Interface } from './interface.js'
import { loadModules } from './load-modules.js'
import { closeKernel, closeRoot, mountConfigfs, mountDisk, mountKernelFiles } from './mounts.js'
import { pcrLines } from './print-pcrs.js'
import { addHostRoute, bringUp, removeHostRoute, setAddress } from './routes.js'
import { takeLease } from './take-lease.js'
import { askHost, METADATA_ADDRESS, proxyAddress, type ToldByHost } from './told-by-host.js'

// The first program of the measured image, and the only one beside the relay, which it becomes.

const CONFIG = '/run/relay.json'
const DATA = '/data'
const say = (line: string): boolean => process.stdout.write(`init: ${line}\n`)

async function boot(): Promise<void> {
  mountKernelFiles()
  for (const module of loadModules(readModules())) say(`nothing for ${module}`)
  mountConfigfs()
  closeKernel()
  for (const line of pcrLines()) say(line)
  const told = await joinNetwork()
  openDataDisk()
  writeFileSync(CONFIG, JSON.stringify({ ...readRelayConfig(), ...told }))
  handOver([DATA, '/dev/sev-guest'])
  closeRoot()
  say('starting the relay')
  becomeRelay('/usr/bin/node', ['/parley/app/main.js', '--profile', 'confidential', '--config', CONFIG])
}

async function joinNetwork(): Promise<ToldByHost> {
  bringUp('lo')
  const link = await findInterface()
  bringUp(link.name)
  const lease = takeLease(link)
  setAddress(link, lease)
  const told = await askThrough(link, lease)
  addHostRoute(link, lease, proxyAddress(told))
  return told
}

/** There is a way to the host's metadata for this one question. */
async function askThrough(link: Interface, lease: Answered): Promise<ToldByHost> {
  addHostRoute(link, lease, METADATA_ADDRESS)
  try {
    return await askHost()
  } finally {
    removeHostRoute(link, lease, METADATA_ADDRESS)
  }
}

function openDataDisk(): void {
  const device = prepareDataDisk('/parley/data.blocks')
  mountDisk(device, DATA)
  growFileSystem(device, DATA)
}

boot().catch((error: unknown) => {
  say(error instanceof BootError ? `failed: ${error.code}: ${error.message}` : 'failed')
  if (!(error instanceof BootError)) say(error instanceof Error ? error.message : 'no error')
  // The kernel starts over when its first process ends.
  process.exit(1)
})
