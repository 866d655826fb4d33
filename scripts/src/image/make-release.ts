import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { canonicalize, signReleaseManifest } from '@parley/protocol'
import { parseVerifierPolicy } from '@parley/verifier'
import { buildImage, openWorkshop } from './build-image.js'
import { gcpReferenceValues } from './gcp-reference-values.js'
import { OUT } from './paths.js'
import { publisherKey } from './publisher-key.js'
import { releaseManifestOf } from './release-manifest.js'
import { sbomOf } from './sbom.js'
import { derFile, makeSecureBootKeys, SECURE_BOOT_ROLES } from './secure-boot-keys.js'
import { sha256Hex } from './sha256-hex.js'
import { signUki } from './sign-uki.js'
import { writeArchive } from './write-archive.js'
import { writeDisk } from './write-disk.js'

/** What a release is made with, beside the repository. */
export type ReleaseOptions = {
  readonly release: string
  /** The operator's Secure Boot keys and the publisher's key; made where they are not. */
  readonly keys: string
  /** A file of firmware that measures what it boots; undefined for none. */
  readonly firmware: string | undefined
  /** The launch measurement of Google's firmware; undefined where it is not at hand. */
  readonly gcpMeasurement: string | undefined
}

/** One line of what was made. */
type Made = { readonly name: string; readonly what: string }

/** Builds, then signs: what is signed last is no longer the same for everyone. */
export async function makeRelease(options: ReleaseOptions): Promise<readonly Made[]> {
  const { release, keys, firmware } = options
  rmSync(OUT, { recursive: true, force: true })
  mkdirSync(OUT, { recursive: true })
  const workshop = openWorkshop(join(OUT, 'work'))
  const image = await buildImage(workshop)
  const sbom = sbomOf(image, release)
  const manifest = await releaseManifestOf(
    image,
    sbom,
    release,
    firmware === undefined ? null : readFileSync(firmware),
  )
  write('parley.efi', image.uki)
  write('vmlinuz', image.kernel)
  write('initrd.zst', image.initrd)
  write('sbom.cdx.json', sbom)
  write('manifest.json', canonicalize(signReleaseManifest(manifest, publisherKey(keys))))
  makeSecureBootKeys(keys)
  for (const role of SECURE_BOOT_ROLES) copyFileSync(derFile(keys, role), join(OUT, `${role}.der`))
  const disk = join(OUT, 'disk.raw')
  writeDisk(workshop.tools, signUki(workshop.tools, image.uki, keys, workshop.folder), workshop.folder, disk)
  writeArchive(workshop.tools, disk, join(OUT, 'parley-gcp.tar.gz'))
  const archive = sha256Hex(readFileSync(join(OUT, 'parley-gcp.tar.gz')))
  rmSync(workshop.folder, { recursive: true })
  return [
    { name: 'parley.efi', what: `${manifest.uki.sha256}, unsigned: the same for everyone` },
    { name: 'parley-gcp.tar.gz', what: `${archive}, signed by ${keys}` },
    policyOf(options, manifest),
  ]
}

function policyOf(
  { gcpMeasurement }: ReleaseOptions,
  manifest: Awaited<ReturnType<typeof releaseManifestOf>>,
): Made {
  if (gcpMeasurement === undefined)
    return { name: 'policy.json', what: "not written: it needs GCP_MEASUREMENT, that of Google's firmware" }
  const policy = gcpReferenceValues(manifest, gcpMeasurement)
  parseVerifierPolicy(policy)
  write('policy.json', `${JSON.stringify(policy, null, 2)}\n`)
  return { name: 'policy.json', what: 'reference values for Google Cloud' }
}

const write = (name: string, bytes: Uint8Array | string): void => {
  writeFileSync(join(OUT, name), bytes)
}
