import { execFileSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { openSevGuest } from '../../../src/node/sev-guest/open-sev-guest.js'
import { codeOf } from '../../evidence-folder.js'

const REQUEST = {
  command: 0xc0205300,
  request: new Uint8Array(96),
  responseBytes: 4000,
  certificateBytes: 0,
}

describe('the device', () => {
  it('that is not there is provider_missing', async () => {
    expect(await codeOf(() => openSevGuest(join(tmpdir(), 'no-such-device')))).toBe('provider_missing')
  })

  it('that is something else answers ENOTTY, through the foreign call and back', async () => {
    const device = await openSevGuest('/dev/null')
    const answer = await device.exchange(REQUEST)
    await device.close()
    expect(answer).toMatchObject({ errno: 'ENOTTY', exitInfo2: 0n })
    expect([answer.request.length, answer.response.length, answer.certificates.length]).toEqual([96, 4000, 0])
  })

  it('costs nobody who does not open it: its library is not loaded with the package', () => {
    const url = new URL('../../../src/node/index.ts', import.meta.url)
    const script = `await import(${JSON.stringify(fileURLToPath(url))});
      console.log(Object.keys(process.report.getReport().sharedObjects).length,
        process.report.getReport().sharedObjects.some((name) => name.includes('koffi')))`
    const node = ['--conditions=source', '--import', 'tsx', '--input-type=module', '-e', script]
    expect(execFileSync(process.execPath, node, { encoding: 'utf8' })).toMatch(/ false\n$/)
  })
})
