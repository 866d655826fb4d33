import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  canonicalize,
  type JsonValue,
  parseCanonicalJson,
  parseEd25519PublicKey,
  parseReleaseManifest,
  toHex,
  verifyReleaseManifest,
} from '@parley/protocol'
import { authenticodeDigest } from './authenticode-digest.js'
import { predictPcrs } from './predict-pcrs.js'
import { sha256Hex } from './sha256-hex.js'

/**
 * Checks the files of a release against its manifest, and the manifest's signature.
 * @param folder with `manifest.json`, `parley.efi` and `sbom.cdx.json`
 * @param publicKey the publisher's, 32 bytes, from elsewhere
 * @returns the members that the files do not bear out
 * @throws ProtocolError object_malformed, signature_invalid, key_refused
 */
export function verifyRelease(folder: string, publicKey: Uint8Array): readonly string[] {
  const manifest = parseReleaseManifest(
    parseCanonicalJson(readFileSync(join(folder, 'manifest.json'), 'utf8')),
  )
  verifyReleaseManifest(manifest, parseEd25519PublicKey(publicKey))
  const uki = readFileSync(join(folder, 'parley.efi'))
  const found: Readonly<Record<string, readonly [JsonValue, JsonValue]>> = {
    'uki.sha256': [manifest.uki.sha256, sha256Hex(uki)],
    'uki.authenticode': [manifest.uki.authenticode, toHex(authenticodeDigest(uki))],
    pcrs: [manifest.pcrs, predictPcrs(uki)],
    sbom: [manifest.sbom, sha256Hex(readFileSync(join(folder, 'sbom.cdx.json')))],
  }
  return Object.entries(found).flatMap(([name, [said, is]]) =>
    canonicalize(said) === canonicalize(is) ? [] : [name],
  )
}
