import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aroundLeafStart, filesOf, names, read, used } from '../../test/web/real-evidence.js'
import { type Given, type OpenPage, openPage, type Slots } from './open-page.js'
import { inNode, inPage } from './same-results.js'

const LATER = Date.UTC(2026, 0, 1)

const turned = ({ name, bytes }: Given): Given =>
  name === 'report.bin' ? { name, bytes: bytes.with(0x90, (bytes[0x90] ?? 0) ^ 1) } : { name, bytes }

/** A report and a certificate table as one file. */
const quote = (report: Given, table: Given): readonly Given[] => [
  { name: 'quote.bin', bytes: new Uint8Array([...report.bytes, ...table.bytes]) },
]

let open: OpenPage
beforeAll(async () => {
  if (used) open = await openPage()
})
afterAll(async () => {
  if (!used) return
  expect(open.complaints).toEqual([])
  await open.close()
})

const same = async (slots: Slots): Promise<unknown> => {
  const seen = await inPage(open, slots)
  expect(seen).toEqual(await inNode(slots))
  return JSON.parse(seen.json)
}

it(`the corpus is ${used ? 'used' : 'not used: PARLEY_CORPUS is not set'}`, () => {
  expect(names('verified').length > 0).toBe(used)
})

describe.runIf(used)('in the page, as in Node, the corpus of real evidence', () => {
  it.each(names('verified'))(
    'verified/%s is genuine, but not before its leaf nor with a turned bit',
    async (name) => {
      const subject = filesOf('verified', name)
      const { valid, early } = aroundLeafStart(subject)
      expect(await same({ subject, now: valid })).toMatchObject({ genuine: true, code: null })
      expect(await same({ subject, now: early })).toMatchObject({
        code: 'certificate_not_yet_valid',
      })
      expect(await same({ subject: subject.map(turned), now: valid })).toMatchObject({
        code: 'report_signature_invalid',
      })
    },
  )

  it.each(names('report-only'))('report-only/%s is not genuine', async (name) => {
    expect(await same({ subject: filesOf('report-only', name), now: LATER })).toMatchObject({
      genuine: false,
    })
  })

  const tables = names('extended').filter((name) => names(`extended/${name}`).includes('quote.bin'))

  it.each(tables)('extended/%s is judged the same', async (name) => {
    await same({ subject: [read('extended', name, 'quote.bin')], now: LATER })
  })

  const malformed = names('extended/malformed').filter((name) => name.endsWith('.bin'))

  it.each(malformed)('extended/malformed/%s is judged the same behind a report', async (name) => {
    const [someone = ''] = names('verified')
    const report = read('verified', someone, 'report.bin')
    await same({ subject: quote(report, read('extended', 'malformed', name)), now: LATER })
  })
})
