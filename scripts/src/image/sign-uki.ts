import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from './run.js'
import { certificateFile, keyFile } from './secure-boot-keys.js'

/** Signs an image for firmware that knows the certificate. What the signature covers stays as it was. */
export function signUki(tools: string, uki: Uint8Array, keys: string, folder: string): Buffer {
  const [unsigned, signed] = [join(folder, 'unsigned.efi'), join(folder, 'signed.efi')]
  writeFileSync(unsigned, uki)
  const by = ['--key', keyFile(keys, 'db'), '--cert', certificateFile(keys, 'db')]
  run(join(tools, 'usr/bin/sbsign'), [...by, '--output', signed, unsigned])
  const bytes = readFileSync(signed)
  for (const file of [unsigned, signed]) rmSync(file)
  return bytes
}
