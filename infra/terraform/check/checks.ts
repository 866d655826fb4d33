import { join } from 'node:path'
import type { Ended, Terraform } from './terraform.js'

/** One check of this folder or a copy of it: `root` holds `relay`, the module, and `example`, a root that calls it. */
export type Check = (terraform: Terraform, root: string) => Ended

/** What `make terraform` runs, in this order. */
export const CHECKS = {
  format: (terraform, root) => terraform.run(root, 'fmt', '-check', '-diff', '-recursive'),
  module: (terraform, root) => terraform.run(join(root, 'relay'), 'validate', '-no-color'),
  example: (terraform, root) => {
    const example = join(root, 'example')
    const got = terraform.run(example, 'get', '-no-color')
    return got.ok ? terraform.run(example, 'validate', '-no-color') : got
  },
  invariants: (terraform, root) => test(terraform, root, 'invariants'),
  refusals: (terraform, root) => test(terraform, root, 'refusals'),
} as const satisfies Readonly<Record<string, Check>>

const test = (terraform: Terraform, root: string, file: string): Ended =>
  terraform.run(join(root, 'relay'), 'test', '-no-color', `-filter=tests/${file}.tftest.hcl`)
