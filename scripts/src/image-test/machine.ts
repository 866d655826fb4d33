import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inSources } from '../image/paths.js'

/** What a machine is started with. */
export type MachineOptions = {
  /** Where the emulator, firmware and software TPM are unpacked. */
  readonly emulator: string
  /** Of this machine alone; must be there and empty. */
  readonly folder: string
  readonly disk: string
  /** The firmware's variables. */
  readonly variables: Uint8Array
  readonly metadataPort: number
  readonly proxyPort: number
  /** Where this machine's port 7090 is reached from outside. */
  readonly relayPort: number
  /** A socket at which a second serial port ends, if there is to be one. */
  readonly secondSerial?: string
}

/** A machine that runs, emulated in full: no virtualisation of the host is used. */
export type Machine = {
  /** What it has written to its console so far. */
  readonly console: () => string
  /** Waits until the console shows something, or the machine has ended, or the time is up; whether it did. */
  readonly shows: (wanted: RegExp, seconds: number) => Promise<boolean>
  readonly ended: () => boolean
  /** Ends it, and its TPM. */
  readonly stop: () => Promise<void>
}

const DATA_DISK_BYTES = 256 << 20
const POLL_MS = 200
/** The guest's network stands where Google's metadata does. */
const NETWORK = '169.254.169.0/24'
export const PROXY_ADDRESS = '169.254.169.100'

/** Starts a software TPM and a machine with it. */
export async function startMachine(options: MachineOptions): Promise<Machine> {
  const { folder, emulator, variables } = options
  mkdirSync(join(folder, 'tpm'))
  writeFileSync(join(folder, 'vars.fd'), variables)
  writeFileSync(join(folder, 'data.img'), '')
  truncateSync(join(folder, 'data.img'), DATA_DISK_BYTES)
  const socket = join(folder, 'tpm.sock')
  const state = ['--tpmstate', `dir=${join(folder, 'tpm')}`, '--ctrl', `type=unixio,path=${socket}`]
  const tpm = start(options, join(emulator, 'usr/bin/swtpm'), [
    ...['socket', '--tpm2', ...state],
    ...['--flags', 'startup-clear', '--terminate'],
  ])
  while (!existsSync(socket) && tpm.running()) await sleep(POLL_MS)
  const qemu = start(options, join(emulator, 'usr/bin/qemu-system-x86_64'), machineArguments(options))
  return machineOf(join(folder, 'console'), qemu, tpm)
}

function machineOf(file: string, qemu: Program, tpm: Program): Machine {
  const text = (): string => (existsSync(file) ? readFileSync(file, 'utf8') : '')
  return {
    console: text,
    ended: () => !qemu.running(),
    shows: async (wanted, seconds) => {
      for (let waited = 0; waited < seconds * 1000; waited += POLL_MS) {
        const running = qemu.running()
        if (wanted.test(text())) return true
        if (!running) return false
        await sleep(POLL_MS)
      }
      return false
    },
    stop: async () => {
      await qemu.stop()
      await tpm.stop()
    },
  }
}

type Program = { readonly running: () => boolean; readonly stop: () => Promise<void> }

function start({ emulator, folder }: MachineOptions, program: string, args: readonly string[]): Program {
  const libraries = ['usr/lib/x86_64-linux-gnu', 'lib/x86_64-linux-gnu', 'usr/lib/x86_64-linux-gnu/swtpm']
  const child = spawn(program, args, {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: '/usr/bin:/bin', LD_LIBRARY_PATH: libraries.map((each) => join(emulator, each)).join(':') },
  })
  // Whatever ends this process, no machine outlives it.
  process.once('exit', () => child.kill('SIGKILL'))
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => {
    said = `${said}${chunk.toString()}`.slice(-65_536)
    writeFileSync(join(folder, `${program.slice(program.lastIndexOf('/') + 1)}.stderr`), said)
  })
  const over = new Promise<void>((resolve) => {
    child.once('close', () => {
      resolve()
    })
    child.once('error', () => {
      resolve()
    })
  })
  return {
    running: () => isRunning(child),
    stop: async () => {
      if (isRunning(child)) child.kill('SIGKILL')
      await over
    },
  }
}

const isRunning = ({ exitCode, signalCode, pid }: ChildProcess): boolean =>
  pid !== undefined && exitCode === null && signalCode === null

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

function machineArguments({ emulator, disk, secondSerial, ...ports }: MachineOptions): readonly string[] {
  const firmware = join(emulator, 'usr/share/OVMF/OVMF_CODE_4M.secboot.fd')
  return [
    ...['-L', join(emulator, 'usr/share/qemu'), '-L', join(emulator, 'usr/share/seabios')],
    ...['-nodefaults', '-display', 'none', '-no-reboot', '-m', '1024', '-smp', '2', '-cpu', 'EPYC-Milan'],
    ...['-machine', 'q35,smm=on', '-accel', 'tcg,thread=multi'],
    // Only code in system management mode may change the firmware's variables, as Secure Boot asks for.
    ...['-global', 'driver=cfi.pflash01,property=secure,value=on'],
    ...['-drive', `if=pflash,format=raw,unit=0,readonly=on,file=${firmware}`],
    ...['-drive', 'if=pflash,format=raw,unit=1,file=vars.fd'],
    ...[
      '-drive',
      `file=${disk},format=raw,if=none,id=boot,snapshot=on`,
      '-device',
      'nvme,drive=boot,serial=boot',
    ],
    ...['-drive', 'file=data.img,format=raw,if=none,id=data', '-device', 'nvme,drive=data,serial=data'],
    ...['-chardev', 'socket,id=tpm,path=tpm.sock', '-tpmdev', 'emulator,id=tpm0,chardev=tpm'],
    ...['-device', 'tpm-tis,tpmdev=tpm0', '-serial', 'file:console'],
    ...(secondSerial === undefined
      ? []
      : ['-chardev', `socket,id=second,path=${secondSerial}`, '-serial', 'chardev:second']),
    ...['-netdev', network(ports), '-device', 'virtio-net-pci,netdev=net,romfile='],
  ]
}

/** A network on which the guest reaches the metadata and the host-proxy, and nothing else. */
function network({
  metadataPort,
  proxyPort,
  relayPort,
}: Pick<MachineOptions, 'metadataPort' | 'proxyPort' | 'relayPort'>): string {
  const pipe = inSources('test/pipe-to-port.js')
  const forward = (address: string, port: number): string =>
    `guestfwd=tcp:${address}-cmd:${process.execPath} ${pipe} ${port}`
  return [
    `user,id=net,restrict=on,net=${NETWORK}`,
    `hostfwd=tcp:127.0.0.1:${relayPort}-:7090`,
    forward('169.254.169.254:80', metadataPort),
    forward(`${PROXY_ADDRESS}:7081`, proxyPort),
  ].join(',')
}
