import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readDebPins } from '../image/deb-pins.js'
import { unpackDebs } from '../image/fetch-debs.js'
import { inSources } from '../image/paths.js'
import { run } from '../image/run.js'
import { certificateFile, keyFile } from '../image/secure-boot-keys.js'

/**
 * Compiles the kernel module that only the test image has, against the headers of the image's kernel, and signs it: a
 * kernel that is locked down loads no other.
 * @param keys the Secure Boot keys of the machine that shall load it
 */
export function buildTestModule(folder: string, keys: string): Buffer {
  const root = join(folder, 'headers')
  unpackDebs(
    readDebPins().filter(({ use }) => use === 'test-module'),
    root,
  )
  const sources = join(root, 'usr/src')
  const headers = join(sources, readdirSync(sources).find((name) => name.endsWith('-cloud-amd64')) ?? '')
  const makefile = join(headers, 'Makefile')
  // Debian's headers say where they are installed, and here they are not.
  writeFileSync(makefile, readFileSync(makefile, 'utf8').replaceAll('/usr/src', sources))
  const module = join(folder, 'test-module')
  cpSync(inSources('test-module'), module, { recursive: true })
  run('make', ['-s', '-C', headers, `M=${module}`, 'CONFIG_DEBUG_INFO_BTF_MODULES=', 'modules'])
  const file = join(module, 'parley_test_tsm.ko')
  run(join(headers, 'scripts/sign-file'), ['sha256', keyFile(keys, 'db'), certificateFile(keys, 'db'), file])
  return readFileSync(file)
}
