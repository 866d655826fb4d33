import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { CHECKS } from '../check/checks.js'
import { openTerraform, type Terraform } from '../check/terraform.js'

type Mistake = {
  readonly what: string
  readonly check: keyof typeof CHECKS
  readonly file: string
  readonly from: string | RegExp
  readonly to: string
  /** Part of what terraform must say. */
  readonly says: RegExp
}

const MISTAKES: readonly Mistake[] = [
  {
    what: 'a file that fmt would change',
    check: 'format',
    file: 'relay/locals.tf',
    from: '  relay_tag = ',
    to: '  relay_tag    = ',
    says: /locals\.tf/,
  },
  {
    what: 'an unknown argument',
    check: 'module',
    file: 'relay/relay.tf',
    from: 'min_cpu_platform  ',
    to: 'minimum_platform  ',
    says: /An argument named "minimum_platform" is not expected here/,
  },
  {
    what: 'an unknown argument in a block',
    check: 'module',
    file: 'relay/relay.tf',
    from: 'enable_secure_boot ',
    to: 'secure_boot        ',
    says: /An argument named "secure_boot" is not expected here/,
  },
  {
    what: 'a missing argument that is required',
    check: 'module',
    file: 'relay/relay.tf',
    from: /^ +machine_type .*\n/m,
    to: '',
    says: /The argument "machine_type" is required/,
  },
  {
    what: 'a missing block that is required',
    check: 'module',
    file: 'relay/relay.tf',
    from: /^ {2}boot_disk \{\n[\s\S]*?^ {2}\}\n/m,
    to: '',
    says: /At least 1 "boot_disk" blocks are required/,
  },
  {
    what: 'an unknown block',
    check: 'module',
    file: 'relay/relay.tf',
    from: 'shielded_instance_config {',
    to: 'shielded_config {',
    says: /Blocks of type "shielded_config" are not expected here/,
  },
  {
    what: 'two blocks where one is taken',
    check: 'module',
    file: 'relay/relay.tf',
    from: '  scheduling {',
    to: '  scheduling {\n  }\n  scheduling {',
    says: /No more than 1 "scheduling" blocks are allowed/,
  },
  {
    what: 'a value of the wrong type',
    check: 'module',
    file: 'relay/relay.tf',
    from: 'enable_vtpm                 = true',
    to: 'enable_vtpm                 = []',
    says: /Inappropriate value for attribute "enable_vtpm": bool required/,
  },
  {
    what: 'a resource that the provider does not have',
    check: 'module',
    file: 'relay/image.tf',
    from: '"google_compute_image"',
    to: '"google_compute_picture"',
    says: /does not support resource type\s+"google_compute_picture"/,
  },
  {
    what: 'a reference to an attribute that is not there',
    check: 'module',
    file: 'relay/outputs.tf',
    from: 'google_compute_global_address.public.address',
    to: 'google_compute_global_address.public.ip',
    says: /has no argument,\s+nested block, or exported attribute named "ip"/,
  },
  {
    what: 'an example that leaves a variable out',
    check: 'example',
    file: 'example/main.tf',
    from: /^ +proxy_image .*\n/m,
    to: '',
    says: /The argument "proxy_image" is required/,
  },
  {
    what: 'SNP off',
    check: 'invariants',
    file: 'relay/relay.tf',
    from: /^ {2}confidential_instance_config \{\n[\s\S]*?^ {2}\}\n/m,
    to: '',
    says: /a relay without SEV-SNP/,
  },
  {
    what: 'SEV in the place of SEV-SNP',
    check: 'invariants',
    file: 'relay/relay.tf',
    from: '"SEV_SNP"',
    to: '"SEV"',
    says: /a relay without SEV-SNP/,
  },
  {
    what: 'Secure Boot off',
    check: 'invariants',
    file: 'relay/relay.tf',
    from: 'enable_secure_boot          = true',
    to: 'enable_secure_boot          = false',
    says: /a VM without Secure Boot/,
  },
  {
    what: 'Secure Boot under the cloud’s own keys',
    check: 'invariants',
    file: 'relay/image.tf',
    from: /^ {2}shielded_instance_initial_state \{\n[\s\S]*?^ {2}\}\n/m,
    to: '',
    says: /Secure Boot takes another signer/,
  },
  {
    what: 'an image that is not SNP capable',
    check: 'invariants',
    file: 'relay/image.tf',
    from: '"SEV_SNP_CAPABLE"',
    to: '"SEV_CAPABLE"',
    says: /guest OS features/,
  },
  {
    what: 'a public address on a relay',
    check: 'invariants',
    file: 'relay/relay.tf',
    from: '  network_interface {',
    to: '  network_interface {\n    access_config {}',
    says: /a VM with an external address/,
  },
  {
    what: 'a public address on the host-proxy',
    check: 'invariants',
    file: 'relay/proxy.tf',
    from: '  network_interface {',
    to: '  network_interface {\n    access_config {}',
    says: /a VM with an external address/,
  },
  {
    what: 'SSH keys of the project taken',
    check: 'invariants',
    file: 'relay/locals.tf',
    from: /block-project-ssh-keys +=  ?"true"/,
    to: 'block-project-ssh-keys = "false"',
    says: /a VM that takes SSH keys/,
  },
  {
    what: 'OS Login on',
    check: 'invariants',
    file: 'relay/locals.tf',
    from: /enable-oslogin +=  ?"FALSE"/,
    to: 'enable-oslogin = "TRUE"',
    says: /a VM that takes SSH keys or OS Login/,
  },
  {
    what: 'an SSH key of its own on a relay',
    check: 'invariants',
    file: 'relay/relay.tf',
    from: 'metadata = merge(local.closed_metadata, {',
    to: 'metadata = merge(local.closed_metadata, { ssh-keys = "me:ssh-ed25519 AAAA" }, {',
    says: /a relay with metadata beyond the list/,
  },
  {
    what: 'the serial port on',
    check: 'invariants',
    file: 'relay/locals.tf',
    from: /serial-port-enable +=  ?"FALSE"/,
    to: 'serial-port-enable = "TRUE"',
    says: /a VM with its serial port on/,
  },
  {
    what: 'a firewall that denies nothing on the way out',
    check: 'invariants',
    file: 'relay/firewall.tf',
    from: 'toset(["INGRESS", "EGRESS"])',
    to: 'toset(["INGRESS"])',
    says: /not everything is denied both ways/,
  },
  {
    what: 'a firewall that lets anybody in',
    check: 'invariants',
    file: 'relay/firewall.tf',
    from: '"130.211.0.0/22", "35.191.0.0/16"',
    to: '"0.0.0.0/0"',
    says: /the firewall lets anybody in/,
  },
  {
    what: 'a relay that reaches the internet',
    check: 'invariants',
    file: 'relay/firewall.tf',
    from: '["${local.proxy_address}/32"]',
    to: '["0.0.0.0/0"]',
    says: /a relay reaches more than the host-proxy/,
  },
  {
    what: 'a relay with an identity at Google',
    check: 'invariants',
    file: 'relay/relay.tf',
    from: '  attached_disk {',
    to: '  service_account {\n    scopes = ["cloud-platform"]\n  }\n  attached_disk {',
    says: /a relay with an identity at Google/,
  },
  {
    what: 'reference values that may accept a simulated processor',
    check: 'refusals',
    file: 'relay/variables.tf',
    from: /accept_simulated, true\) == false/,
    to: 'accept_simulated, true) != null',
    says: /run "simulated_accepted"\.\.\. fail/,
  },
  {
    what: 'an archive that nobody compares with its digest',
    check: 'refusals',
    file: 'relay/image.tf',
    from: 'filesha256(var.image_archive) == var.image_archive_sha256',
    to: 'filesha256(var.image_archive) != ""',
    says: /run "another_image"\.\.\. fail/,
  },
]

const SOURCE = join(import.meta.dirname, '..')
let terraform: Terraform
let copy: string

beforeAll(() => {
  terraform = openTerraform()
})
afterAll(() => {
  terraform.close()
})
beforeEach(() => {
  copy = mkdtempSync(join(tmpdir(), 'terraform-'))
  for (const folder of ['relay', 'example'])
    cpSync(join(SOURCE, folder), join(copy, folder), { recursive: true })
})
afterEach(() => {
  rmSync(copy, { recursive: true, force: true })
})

const seed = ({ file, from, to }: Mistake): void => {
  const path = join(copy, file)
  const text = readFileSync(path, 'utf8')
  const changed = text.replace(from, () => to)
  if (changed === text) throw new Error(`${file} has no place for this mistake`)
  writeFileSync(path, changed)
}

describe('as it stands', () => {
  test.each(Object.entries(CHECKS))('the check %s passes', (_, check) => {
    expect(check(terraform, copy)).toMatchObject({ ok: true })
  })
})

describe('a seeded mistake is found', () => {
  test.each(MISTAKES.map((mistake) => [mistake.what, mistake.check, mistake] as const))(
    '%s fails the check %s',
    (_what, _check, mistake) => {
      seed(mistake)
      const { ok, text } = CHECKS[mistake.check](terraform, copy)
      expect(text).toMatch(mistake.says)
      expect(ok).toBe(false)
    },
  )
})
