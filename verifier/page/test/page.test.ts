import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fromBase64url, type JsonValue } from '@parley/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseVerifierPolicy, verdictText, verifyBundle } from '../../src/index.js'
import { NOW, toBytes } from '../../test/minted-bundle.js'
import { simulateRelay, type SimulatedRelay } from '../../test/simulated-relay.js'
import { without } from '../../test/without.js'
import { type Given, type OpenPage, openPage, type Slots } from './open-page.js'

let open: OpenPage
let relay: SimulatedRelay
let demo: Required<Slots>
beforeAll(async () => {
  open = await openPage()
  relay = await simulateRelay()
  demo = {
    subject: [{ name: 'buyer.parley.json', bytes: toBytes(await relay.mint()) }],
    policy: json('policy.json', relay.policy),
    root: [{ name: 'root.der', bytes: relay.processor.rootCertificate }],
    now: NOW,
  }
})
afterAll(async () => {
  expect(open.complaints).toEqual([])
  await open.close()
})

const json = (name: string, value: JsonValue): Given => ({
  name,
  bytes: new TextEncoder().encode(JSON.stringify(value)),
})

const shown = (): Promise<string> => open.page.locator('#result').innerText()
const decision = (): Promise<string> => open.page.locator('.decision').innerText()

/** A folder on disk with these files. */
const folderOf = (files: readonly Given[]): string => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-drop-'))
  const inner = join(folder, 'evidence')
  mkdirSync(inner)
  for (const { name, bytes } of files) writeFileSync(join(inner, name), bytes)
  return inner
}

/** Drops files or folders as a hand would. */
const drop = async (...paths: readonly string[]): Promise<void> => {
  const session = await open.page.context().newCDPSession(open.page)
  const data = { items: [], files: [...paths], dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, x: 300, y: 150, data })
  await session.detach()
}

describe('the page', () => {
  it('shows the verdict on a bundle as the command line prints it, and SIMULATED in capitals', async () => {
    await open.fill(demo)
    expect(await decision()).toBe('TRUSTED SIMULATED')
    const verdict = await verifyBundle({
      bytes: demo.subject[0]?.bytes ?? new Uint8Array(),
      policy: parseVerifierPolicy(relay.policy),
      roots: relay.roots,
      now: NOW,
    })
    expect(await open.page.locator('#report').textContent()).toBe(verdictText(verdict))
    expect(await open.download()).toEqual(JSON.parse(JSON.stringify(verdict)))
  })

  it('says who is still trusted, for which checks, and what came out', async () => {
    await open.fill(demo)
    const text = await shown()
    expect(text).toMatch(
      /Who is still trusted, and for which checks\s+SIMULATED root\s+hardware_genuine, report_data/,
    )
    expect(text).toMatch(/the participants\s+consents, inputs/)
    expect(text).toMatch(/Assurance\s+TEE_ATTESTED[\s\S]*Output\s+\{"overlap":"YES"\}/)
    expect(text).toContain('buyer.parley.json, judged at 2026-09-21T14:23:20.000Z')
  })

  it.each<[string, () => Partial<Slots>, RegExp]>([
    [
      'without the root',
      () => ({ root: [] }),
      /^NOT TRUSTED\n[\s\S]*not genuine \(exit 2\)[\s\S]*root_not_pinned/,
    ],
    [
      'under a policy that takes no simulation',
      () => ({ policy: json('p.json', { ...relay.policy, accept_simulated: false }) }),
      /^NOT TRUSTED SIMULATED\n[\s\S]*\(exit 3\)[\s\S]*simulated_without_leave/,
    ],
    [
      'after its keyset',
      () => ({ now: Date.UTC(2030, 0, 1) }),
      /^NOT TRUSTED SIMULATED\n[\s\S]*keyset_expired/,
    ],
    [
      'with a byte changed',
      () => ({ subject: demo.subject.map(({ name, bytes }) => ({ name, bytes: bytes.with(-10, 0x30) })) }),
      /^NOT TRUSTED/,
    ],
    [
      'that is cut short',
      () => ({ subject: demo.subject.map(({ name, bytes }) => ({ name, bytes: bytes.slice(0, -1) })) }),
      /^NOT TRUSTED\n[\s\S]*Malformed[\s\S]*\(exit 5\)/,
    ],
  ])('does not trust the bundle %s', async (_, changes, text) => {
    await open.fill({ ...demo, ...changes() })
    expect(await shown()).toMatch(text)
    expect(await shown()).not.toContain('"overlap"')
  })

  it('does not judge a bundle without a policy, and says so', async () => {
    await open.fill(without(demo, 'policy'))
    expect(await shown()).toMatch(/^A bundle is judged by a policy/)
    expect(await open.page.locator('.decision').count()).toBe(0)
  })

  it.each<[string, () => Partial<Slots>, RegExp]>([
    [
      'by a policy that leaves a reference value out',
      () => ({ policy: json('p.json', without(relay.policy, 'accept_simulated')) }),
      /^reference_value_missing: .*accept_simulated/,
    ],
    [
      'by a policy that is none',
      () => ({ policy: { name: 'p.json', bytes: new Uint8Array(3) } }),
      /^policy_malformed/,
    ],
    [
      'with a root that is none',
      () => ({ root: [{ name: 'r.der', bytes: new Uint8Array(3) }] }),
      /^argument_invalid/,
    ],
  ])('does not judge %s, and says why', async (_, changes, text) => {
    await open.fill({ ...demo, ...changes() })
    expect(await shown()).toMatch(text)
    expect(await open.page.locator('.decision').count()).toBe(0)
  })

  it('does not judge at a time without a zone', async () => {
    await open.fill(demo)
    await open.page.getByLabel('Judged at').fill('2026-09-21T14:23')
    await open.page.getByLabel('Judged at').press('Enter')
    await open.page.locator('.note').waitFor()
    expect(await shown()).toMatch(/“Judged at” is not a date/)
  })

  it('judges anew when a slot changes: no verdict stays that is on other files', async () => {
    await open.fill(demo)
    expect(await decision()).toBe('TRUSTED SIMULATED')
    await open.page.getByLabel('An extra root, if any').setInputFiles([])
    await open.page.locator('.decision.bad').waitFor()
    await open.page.getByRole('button', { name: 'Start again' }).click()
    await open.page.locator('.decision').waitFor({ state: 'detached' })
    expect(await shown()).toBe('')
  })

  it('takes a folder that is dropped: bundle, policy and root find their slots', async () => {
    await open.page.getByRole('button', { name: 'Start again' }).click()
    await open.page.getByLabel('Judged at').fill(new Date(NOW).toISOString())
    const files = [
      ...demo.subject,
      ...demo.root,
      demo.policy,
      { name: 'notes.txt', bytes: new Uint8Array(1) },
    ]
    const folder = folderOf(files)
    await drop(folder)
    await open.page.locator('.decision.good').waitFor()
    expect(await decision()).toBe('TRUSTED SIMULATED')
    expect(await shown()).toContain('Not used: notes.txt')
    rmSync(folder, { recursive: true })
  })

  it('takes files that are dropped one after the other', async () => {
    await open.page.getByRole('button', { name: 'Start again' }).click()
    await open.page.getByLabel('Judged at').fill(new Date(NOW).toISOString())
    const folder = folderOf([...demo.subject, ...demo.root, demo.policy])
    await drop(join(folder, 'buyer.parley.json'))
    await open.page.locator('.note', { hasText: 'policy' }).waitFor()
    await drop(join(folder, 'policy.json'))
    await open.page.locator('.decision.bad').waitFor()
    await drop(join(folder, 'root.der'))
    await open.page.locator('.decision.good').waitFor()
    expect(await decision()).toBe('TRUSTED SIMULATED')
    rmSync(folder, { recursive: true })
  })

  it('finds a report in a folder genuine or not, without a policy', async () => {
    const hardware = await relay.reporter(new Uint8Array(64))
    const subject = [
      { name: 'report.bin', bytes: fromBase64url(hardware.report) },
      { name: 'vcek.der', bytes: fromBase64url(hardware.leaf_certificate) },
      { name: 'ask.der', bytes: fromBase64url(hardware.intermediate_certificate) },
      { name: 'ark.der', bytes: fromBase64url(hardware.root_certificate) },
    ]
    await open.fill({ subject, now: NOW })
    expect(await shown()).toMatch(/^NOT GENUINE\n[\s\S]*root \(root_not_pinned\)/)
    await open.fill({ subject, now: NOW, root: demo.root })
    expect(await shown()).toMatch(/^GENUINE SIMULATED\n[\s\S]*No policy was asked/)
  })

  it('shows names and values of strangers as text, printable', async () => {
    const [bundle] = demo.subject
    const name = '<img src=x onerror=alert(1)>\u202e.parley.json'
    await open.fill({ ...demo, subject: [{ name, bytes: bundle?.bytes ?? new Uint8Array() }] })
    expect(await shown()).toContain('<img src=x onerror=alert(1)>\\u{202e}.parley.json, judged at')
    expect(await open.page.locator('#result img').count()).toBe(0)
  })

  it('names each field, and works without a mouse', async () => {
    for (const label of [
      'What to judge',
      '… or a folder with all of it',
      'Your policy',
      'An extra root, if any',
      "Google's root of its TPMs, if any",
      'Another root of TPMs, if any',
    ])
      expect(await open.page.getByLabel(label).getAttribute('type')).toBe('file')
    await open.fill(demo)
    await open.page.getByLabel('What to judge').focus()
    const reached: string[] = []
    const order = ['folder', 'policy', 'root', 'google-root', 'tpm-root', 'now', 'clear', 'download']
    while (reached.length < order.length) {
      await open.page.keyboard.press('Tab')
      reached.push(await open.page.evaluate(() => document.activeElement?.id ?? ''))
    }
    expect(reached).toEqual(order)
    expect(await open.page.locator('#result').getAttribute('aria-live')).toBe('polite')
  })
})

describe('the built file', () => {
  it('reaches nobody: no request leaves it, whatever asks', async () => {
    const asked: string[] = []
    const server = createServer((request, response) => {
      asked.push(request.url ?? '')
      response.end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const other = await openPage()
    await other.page.evaluate(async (url) => {
      const image = document.createElement('img')
      image.src = `${url}/image`
      document.body.append(image)
      const frame = document.createElement('iframe')
      frame.src = `${url}/frame`
      document.body.append(frame)
      await fetch(`${url}/fetch`).catch(() => null)
      await new Promise((resolve) => setTimeout(resolve, 500))
    }, `http://127.0.0.1:${port}`)
    await other.close()
    server.close()
    expect(asked).toEqual([])
    expect(
      other.complaints.filter((complaint) => complaint.includes('Content Security Policy')).length,
    ).toBeGreaterThan(1)
  })

  it('runs no script but its own', async () => {
    const other = await openPage()
    const ran = await other.page.evaluate(async () => {
      const script = document.createElement('script')
      const refused: string[] = []
      try {
        script.textContent = 'document.title = "other"'
        document.body.append(script)
      } catch (error) {
        refused.push(error instanceof Error ? error.name : 'other')
      }
      await new Promise((resolve) => setTimeout(resolve, 100))
      return { title: document.title, refused }
    })
    await other.close()
    expect(ran).toEqual({ title: 'Parley verifier', refused: ['TypeError'] })
  })
})
