import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { expectedLaunchDigest } from '../../src/measure/expected-launch-digest.js'

type Vector = {
  readonly ovmf: string
  readonly ovmfHash: string
  readonly vmm: string
  readonly vcpus: number
  readonly vcpuType: string
  readonly vcpuSig: string
  readonly guestFeatures: string
  readonly kernel: boolean
  readonly launchDigest: string
}

type Vectors = {
  readonly kernelBytesUtf8: string
  readonly initrdBytesUtf8: string
  readonly cmdline: string
  readonly vectors: readonly Vector[]
}

const hex = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString('hex')

// Digests by another tool, for firmware that is not ours to publish: they are read where PARLEY_CORPUS names a place.
const corpus = process.env['PARLEY_CORPUS']

const compareAll = async (folder: string): Promise<void> => {
  const { vectors, ...payload } = JSON.parse(await readFile(join(folder, 'vectors.json'), 'utf8')) as Vectors
  const direct = {
    kernel: Buffer.from(payload.kernelBytesUtf8),
    initrd: Buffer.from(payload.initrdBytesUtf8),
    append: payload.cmdline,
  }

  test.each(vectors)('$vmm $ovmf $vcpus $vcpuType $guestFeatures kernel $kernel', async (vector) => {
    const launch = {
      ovmf: await readFile(join(folder, vector.ovmf)),
      ...(vector.kernel ? direct : {}),
      vcpus: vector.vcpus,
      vmm: vector.vmm,
      guestFeatures: BigInt(vector.guestFeatures),
    }
    const { digest, steps } = await expectedLaunchDigest({ ...launch, vcpuType: vector.vcpuType })
    expect(hex(digest)).toBe(vector.launchDigest)
    expect(hex(steps[0]?.digest)).toBe(vector.ovmfHash)
    const bySignature = await expectedLaunchDigest({ ...launch, vcpuSignature: Number(vector.vcpuSig) })
    expect(bySignature.digest).toEqual(digest)
  })
}

describe('digests of sev-snp-measure', async () => {
  if (corpus !== undefined) await compareAll(join(corpus, 'snp', 'measurement'))
  else
    test('PARLEY_CORPUS is not set: they are not compared', () => {
      expect(corpus).toBeUndefined()
    })
})
