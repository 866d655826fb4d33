import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { JsonObject } from '@parley/protocol'
import type { Library } from './libraries.js'
import type { Package } from './packages.js'
import type { Contents } from './root-folder.js'

/**
 * What an image is made of, as CycloneDX 1.5. It has no time and no serial number: the same image, the same bytes.
 * @param nodeVersion of the binary, as `v24.22.3`
 * @see https://cyclonedx.org/docs/1.5/json/
 */
export const billOfMaterials = (
  { image, node, libraries, packages }: Contents,
  nodeVersion: string,
): JsonObject => {
  const room = packages.find(({ place }) => place === image.room)
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      component: { type: 'container', name: `parley/${image.name}`, version: room?.version ?? '' },
    },
    components: [
      {
        type: 'platform',
        name: 'node',
        version: nodeVersion.replace(/^v/, ''),
        purl: `pkg:generic/node@${nodeVersion.replace(/^v/, '')}`,
        hashes: [{ alg: 'SHA-256', content: createHash('sha256').update(readFileSync(node)).digest('hex') }],
      },
      ...libraries.map(ofLibrary),
      ...packages.map(ofPackage),
    ],
  }
}

const ofLibrary = ({ path, sha256, from }: Library): JsonObject => ({
  type: 'library',
  name: path,
  version: from?.version ?? '',
  ...(from === null
    ? {}
    : { purl: `pkg:deb/debian/${encodeURIComponent(from.name)}@${encodeURIComponent(from.version)}` }),
  hashes: [{ alg: 'SHA-256', content: sha256 }],
})

const ofPackage = ({ name, version, integrity, license }: Package): JsonObject => ({
  type: 'library',
  name,
  version,
  purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
  ...(license === null ? {} : { licenses: [{ expression: license }] }),
  ...(integrity === null ? {} : { hashes: [hashOf(integrity)] }),
})

const ALGORITHMS: Readonly<Record<string, string>> = { sha512: 'SHA-512', sha256: 'SHA-256', sha1: 'SHA-1' }

const hashOf = (integrity: string): JsonObject => {
  const [algorithm = '', base64 = ''] = integrity.split('-')
  const alg = ALGORITHMS[algorithm]
  if (alg === undefined) throw new Error(`an integrity of another form: ${algorithm}`)
  return { alg, content: Buffer.from(base64, 'base64').toString('hex') }
}
