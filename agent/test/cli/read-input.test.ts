import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readTrust } from '../../src/cli/read-input.js'
import { freshFolder } from '../double/stage.js'

const folder = await freshFolder()
const file = (name: string, content: string | Uint8Array): string => {
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}

const policy = file('policy.json', '{"version":"parley-policy-v1"}')
const [amd, google, other] = [Buffer.of(1), Buffer.of(2), Buffer.of(3)]
const root = file('root.der', amd)
const googleRoot = file('google.der', google)
const tpmRoot = file('tpm.der', other)

describe('what a command is told to trust', () => {
  test('holds each root as what its option says that it is', async () => {
    const value = { version: 'parley-policy-v1' }
    expect(await readTrust({ policy, root, googleRoot, tpmRoot })).toEqual({
      policy: value,
      roots: [amd],
      tpmRoots: [
        { certificate: google, kind: 'google' },
        { certificate: other, kind: 'simulated' },
      ],
    })
    expect(await readTrust({ policy, googleRoot })).toEqual({
      policy: value,
      roots: [],
      tpmRoots: [{ certificate: google, kind: 'google' }],
    })
    expect(await readTrust({ policy, tpmRoot })).toMatchObject({ tpmRoots: [{ kind: 'simulated' }] })
  })

  test('holds no root of TPMs that nobody named', async () => {
    expect(await readTrust({ policy, root })).toMatchObject({ roots: [amd], tpmRoots: [] })
  })

  test.each(['policy', 'root', 'googleRoot', 'tpmRoot'])(
    'is refused as argument_invalid where the file of %s is not there, or over 2 MiB',
    async (option) => {
      const long = file('long', new Uint8Array(2 * 1024 * 1024 + 1))
      for (const path of [join(folder, 'nowhere'), long])
        await expect(readTrust({ policy, [option]: path })).rejects.toMatchObject({
          code: 'argument_invalid',
        })
    },
  )

  test('is refused as argument_invalid where the policy is no JSON, and quotes nothing of it', async () => {
    const secret = file('secret.json', 'sk-not-json')
    await expect(readTrust({ policy: secret })).rejects.toMatchObject({
      code: 'argument_invalid',
      message: expect.not.stringContaining('sk-not-json') as string,
    })
  })
})
