import { describe, expect, it } from 'vitest'
import { ChainMemo, judgeGenuine } from '../src/index.js'
import { genuineInput } from './evidence-folder.js'

const flip = (bytes: Uint8Array, at: number): Uint8Array =>
  bytes.map((byte, index) => (index === at ? byte ^ (1 << (at % 8)) : byte))

describe.each(['milan-v3-vcek', 'turin-v5-vcek', 'milan-v2-vlek'])('every byte of %s counts', (name) => {
  const input = { ...genuineInput(name), memo: new ChainMemo() }

  it('a turned bit anywhere in the report is refused', async () => {
    for (let at = 0; at < input.report.length; at++) {
      const { genuine, code } = await judgeGenuine({ ...input, report: flip(input.report, at) })
      expect({ at, genuine, refused: code !== null }).toEqual({ at, genuine: false, refused: true })
    }
  })

  it('a turned bit anywhere in a certificate is refused, whatever is remembered', async () => {
    for (const [index, certificate] of input.certificates.entries()) {
      for (let at = 0; at < certificate.length; at += 3) {
        const certificates = input.certificates.map((one, place) => (place === index ? flip(one, at) : one))
        const { genuine } = await judgeGenuine({ ...input, certificates })
        expect({ index, at, genuine }).toEqual({ index, at, genuine: false })
      }
    }
  })
})
