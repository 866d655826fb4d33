import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { PAGE, writePage } from '../build-page.js'

const CHROMIUM = process.env['PARLEY_CHROMIUM'] ?? '/usr/bin/chromium'

/** What a slot is given: a name and bytes. */
export type Given = { readonly name: string; readonly bytes: Uint8Array }

/** Slots to fill; what is left out is emptied. */
export type Slots = {
  readonly subject?: readonly Given[]
  readonly policy?: Given
  readonly root?: readonly Given[]
  readonly now?: Date | number
}

/** The built page, open in a browser. */
export type OpenPage = {
  readonly page: Page
  /** Everything that the page complained of, tried to fetch, or was refused. */
  readonly complaints: readonly string[]
  /** Fills the slots and waits for the result. */
  readonly fill: (slots: Slots) => Promise<void>
  /** The document that the download gives. */
  readonly download: () => Promise<unknown>
  readonly close: () => Promise<void>
}

/** Builds the page, and opens the file that was built: no server, so that nothing can stand in for the network. */
export const openPage = async (): Promise<OpenPage> => {
  if (!existsSync(CHROMIUM))
    throw new Error(`no ${CHROMIUM}: apt-get install chromium, or name one in PARLEY_CHROMIUM`)
  await writePage()
  const profile = mkdtempSync(join(tmpdir(), 'parley-chromium-'))
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: CHROMIUM,
    headless: true,
    acceptDownloads: true,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
  const page = await context.newPage()
  const complaints = listen(page)
  await page.goto(pathToFileURL(PAGE).href)
  return {
    page,
    complaints,
    fill: (slots) => fill(page, slots),
    download: () => download(page),
    close: () => close(context, profile),
  }
}

const listen = (page: Page): readonly string[] => {
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`))
  page.on('console', (message) => complaints.push(`console: ${message.text()}`))
  page.on('request', (request) => {
    if (!/^(?:file|blob):/.test(request.url())) complaints.push(`request: ${request.url()}`)
  })
  return complaints
}

const fill = async (page: Page, { subject = [], policy, root = [], now }: Slots): Promise<void> => {
  // The subject comes last, so that one judgement is made and not four.
  await set(page, '#subject', [])
  await page.locator('#now').fill(now === undefined ? '' : new Date(now).toISOString())
  // A field that keeps the focus changes when it is lost: to the button that is clicked next.
  await page.locator('#now').blur()
  await set(page, '#policy', policy === undefined ? [] : [policy])
  await set(page, '#root', root)
  await set(page, '#subject', subject)
  await page.locator('#result[aria-busy="false"]').waitFor({ state: 'attached' })
}

const set = (page: Page, id: string, files: readonly Given[]): Promise<void> =>
  page.setInputFiles(
    id,
    files.map(({ name, bytes }) => ({
      name,
      mimeType: 'application/octet-stream',
      buffer: Buffer.from(bytes),
    })),
  )

const download = async (page: Page): Promise<unknown> => {
  const [event] = await Promise.all([page.waitForEvent('download'), page.locator('#download').click()])
  const document: unknown = JSON.parse(readFileSync(await event.path(), 'utf8'))
  return document
}

const close = async (context: BrowserContext, profile: string): Promise<void> => {
  await context.close()
  rmSync(profile, { recursive: true, force: true })
}
