import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildPage } from '../../page/build-page.js'

let page: string
beforeAll(async () => {
  page = await buildPage()
})

const part = (pattern: RegExp): string => pattern.exec(page)?.[1] ?? ''
const digest = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

describe('the built page', () => {
  it('is the same, byte for byte, when it is built again', async () => {
    expect(await buildPage()).toBe(page)
  })

  it('allows its one script and its one style by their digests, and nothing else', () => {
    const script = part(/<script>([\s\S]*)<\/script>/)
    const style = part(/<style>([\s\S]*?)<\/style>/)
    expect(part(/Content-Security-Policy" content="([^"]*)"/)).toBe(
      [
        "default-src 'none'",
        `script-src ${digest(script)}`,
        `style-src ${digest(style)}`,
        "base-uri 'none'",
        "form-action 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
      ].join('; '),
    )
    expect(page.match(/<script|<style/g)).toHaveLength(2)
  })

  it('states its policy before anything that the policy is about', () => {
    expect(page.indexOf('Content-Security-Policy')).toBeLessThan(page.indexOf('<style>'))
  })

  it('names no other file', () => {
    const markup = page.replace(/<script>[\s\S]*<\/script>/, '').replace(/<style>[\s\S]*?<\/style>/, '')
    expect(markup).not.toMatch(/\s(?:src|href|srcset|action|style|on\w+)=/)
    expect(part(/<style>([\s\S]*?)<\/style>/)).not.toMatch(/url\(|@import/)
  })

  it('has no eval, no connection, and no module of Node in its script', () => {
    const script = part(/<script>([\s\S]*)<\/script>/)
    expect(script).not.toMatch(
      /\beval\(|new Function\(|\bfetch\(|XMLHttpRequest|WebSocket|sendBeacon|innerHTML/,
    )
    expect(script).not.toMatch(/require\(["']node:|from ["']node:/)
  })
})
