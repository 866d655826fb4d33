import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { BootError } from './boot-error.js'

/** The machine's one network interface. */
export type Interface = { readonly name: string; readonly index: number; readonly hardware: Buffer }

const CLASS = '/sys/class/net'

/** Waits until the driver has it, ten seconds at most. @throws BootError network_failed */
export async function findInterface(): Promise<Interface> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const name = readdirSync(CLASS).find((each) => each !== 'lo')
    if (name !== undefined) return describe(name)
    await sleep(100)
  }
  throw new BootError('network_failed', 'there is no network interface')
}

function describe(name: string): Interface {
  const read = (attribute: string): string => readFileSync(`${CLASS}/${name}/${attribute}`, 'utf8').trim()
  return {
    name,
    index: Number(read('ifindex')),
    hardware: Buffer.from(read('address').replaceAll(':', ''), 'hex'),
  }
}
