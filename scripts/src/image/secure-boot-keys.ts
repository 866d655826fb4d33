import { X509Certificate } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from './run.js'

/** Which keys firmware knows: who owns the machine, who may change the list of signers, who signs what it starts. */
export const SECURE_BOOT_ROLES = ['pk', 'kek', 'db'] as const
export type SecureBootRole = (typeof SECURE_BOOT_ROLES)[number]

const YEARS_10 = '3650'

/** Makes the keys that are not there yet, each with a certificate of its own; private keys are the operator's alone. */
export function makeSecureBootKeys(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  for (const role of SECURE_BOOT_ROLES) if (!existsSync(keyFile(folder, role))) makeKey(folder, role)
}

function makeKey(folder: string, role: SecureBootRole): void {
  const files = ['-keyout', keyFile(folder, role), '-out', certificateFile(folder, role)]
  const subject = ['-subj', `/CN=Parley Secure Boot ${role}/`, '-days', YEARS_10]
  run('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-sha256', '-nodes', ...subject, ...files])
  writeFileSync(
    join(folder, `${role}.der`),
    new X509Certificate(readFileSync(certificateFile(folder, role))).raw,
  )
}

export const keyFile = (folder: string, role: SecureBootRole): string => join(folder, `${role}.key`)
export const certificateFile = (folder: string, role: SecureBootRole): string => join(folder, `${role}.pem`)
export const derFile = (folder: string, role: SecureBootRole): string => join(folder, `${role}.der`)
