import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

/** Where the page is built to. */
export const PAGE = here('../dist/parley-verify.html')

const bundle = async (entry: string): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [here(entry)],
    absWorkingDir: here('../..'),
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    // `source` picks each room's TypeScript, and under it the web half of its cryptography.
    conditions: ['source'],
    charset: 'utf8',
    legalComments: 'inline',
  })
  return outputFiles.map(({ text }) => text).join('')
}

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

// No member allows a connection, a frame, an image or a font; the one script and the one style are named by digest.
const policyOf = (script: string, style: string): string =>
  [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')

const fill = (template: string, parts: Readonly<Record<string, string>>): string =>
  template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => parts[name] ?? '')

/** The page as one file that needs nothing else. The same sources give the same bytes. */
export const buildPage = async (): Promise<string> => {
  const script = await bundle('main.ts')
  // What ends a script element would end it here as well.
  if (/<\/script|<!--/i.test(script)) throw new Error('the script would end its own element')
  const style = await bundle('style.css')
  return fill(readFileSync(here('index.html'), 'utf8'), { policy: policyOf(script, style), script, style })
}

/** Builds the page, writes it, and gives its text. */
export const writePage = async (): Promise<string> => {
  const page = await buildPage()
  mkdirSync(dirname(PAGE), { recursive: true })
  writeFileSync(PAGE, page)
  return page
}
