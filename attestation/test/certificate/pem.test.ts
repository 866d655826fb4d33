import { describe, expect, it } from 'vitest'
import { readPem } from '../../src/certificate/pem.js'
import { codeOf } from '../evidence-folder.js'

const BEGIN = '-----BEGIN CERTIFICATE-----'
const END = '-----END CERTIFICATE-----'

const read = (text: string): Uint8Array[] => readPem(new TextEncoder().encode(text))

describe('PEM', () => {
  it('gives the blocks in order, whatever the line ends', () => {
    const text = `\r\n${BEGIN}\r\nAQID\r\nBAU=\r\n${END}\r\n\n${BEGIN}\nBg==\n${END}`
    expect(read(text)).toEqual([Uint8Array.of(1, 2, 3, 4, 5), Uint8Array.of(6)])
  })

  it.each([
    ['nothing', ''],
    ['white space', ' \n'],
    ['text before', `x\n${BEGIN}\nAQID\n${END}\n`],
    ['text after', `${BEGIN}\nAQID\n${END}\nx`],
    ['text between', `${BEGIN}\nAQID\n${END}\nx\n${BEGIN}\nAQID\n${END}\n`],
    ['no end', `${BEGIN}\nAQID\n`],
    ['two ends', `${BEGIN}\nAQID\n${END}\n${END}\n`],
    ['an empty block', `${BEGIN}\n${END}\n`],
    ['a character that is none', `${BEGIN}\nAQ-D\n${END}\n`],
    ['base64 for URLs', `${BEGIN}\n__8=\n${END}\n`],
    ['no padding', `${BEGIN}\nBg\n${END}\n`],
    ['padding in the middle', `${BEGIN}\nBg==AQID\n${END}\n`],
    ['bits that decode to nothing', `${BEGIN}\nBh==\n${END}\n`],
    ['another label', '-----BEGIN X509 CRL-----\nAQID\n-----END X509 CRL-----\n'],
    ['a header', `${BEGIN}\nProc-Type: 4\n\nAQID\n${END}\n`],
  ])('with %s is refused', async (_, text) => {
    expect(await codeOf(() => read(text))).toBe('certificate_malformed')
  })

  it('over 64 KiB is refused unread', async () => {
    expect(await codeOf(() => readPem(new Uint8Array(65537)))).toBe('certificate_malformed')
  })
})
