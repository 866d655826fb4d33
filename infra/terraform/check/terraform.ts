import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** How a run of terraform ended, with what it wrote to both outputs. */
export type Ended = { readonly ok: boolean; readonly text: string }

/** Terraform with our provider in the place of hashicorp/google, and without network, account or state. */
export type Terraform = {
  readonly run: (folder: string, ...args: readonly string[]) => Ended
  /** Removes what it wrote. */
  readonly close: () => void
}

const PROVIDER = join(import.meta.dirname, 'provider')

/** @throws Error where there is no terraform on the path */
export const openTerraform = (): Terraform => {
  const scratch = mkdtempSync(join(tmpdir(), 'parley-terraform-'))
  const config = join(scratch, 'terraform.rc')
  writeFileSync(
    config,
    `provider_installation {\n  dev_overrides { "hashicorp/google" = "${PROVIDER}" }\n}\n`,
  )
  const run = (folder: string, ...args: readonly string[]): Ended => {
    const { status, stdout, stderr, error } = spawnSync('terraform', [`-chdir=${folder}`, ...args], {
      env: environment(config, join(scratch, 'data', folder)),
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    })
    if (error !== undefined)
      throw new Error(`terraform does not start (${error.message}): install terraform 1.11`)
    return { ok: status === 0, text: `${stdout}${stderr}` }
  }
  return {
    run,
    close: () => {
      rmSync(scratch, { recursive: true, force: true })
    },
  }
}

// Nothing of the caller's account or settings: only what a program needs to start.
const environment = (config: string, data: string): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  HOME: process.env['HOME'],
  TMPDIR: tmpdir(),
  TF_CLI_CONFIG_FILE: config,
  TF_DATA_DIR: data,
  TF_IN_AUTOMATION: '1',
  CHECKPOINT_DISABLE: '1',
  // The provider is on loopback, for some seconds, and knows nothing.
  TF_DISABLE_PLUGIN_TLS: '1',
})
