import { describe, expect, it } from 'vitest'
import type { HttpRequest } from '../src/http-message.js'
import { componentList, signatureBase } from '../src/signature-base.js'
import { codeOf } from './code-of.js'

const request: HttpRequest = {
  method: 'POST',
  scheme: 'https',
  authority: 'Relay.Example:443',
  path: '/a/b?c=d',
  headers: [
    ['date', 'now'],
    ['twice', '1'],
    ['twice', '2'],
  ],
  content: new Uint8Array(0),
}
const valueOf = (changed: Partial<HttpRequest>, name: string) =>
  signatureBase({ ...request, ...changed }, [name], '()').split('\n')[0]

describe('signatureBase', () => {
  it('has a line for each component and the parameters at the end', () => {
    const components = ['@method', 'date']
    const parameters = `${componentList(components)};created=1`
    expect(signatureBase(request, components, parameters)).toBe(
      '"@method": POST\n"date": now\n"@signature-params": ("@method" "date");created=1',
    )
  })

  it.each([
    ['@path', '/a/b?c=d', '"@path": /a/b'],
    ['@path', '/', '"@path": /'],
    ['@query', '/a/b?c=d', '"@query": ?c=d'],
    ['@query', '/a?b?c', '"@query": ?b?c'],
    ['@query', '/a?', '"@query": ?'],
    ['@query', '/a', '"@query": ?'],
    ['@authority', '/', '"@authority": relay.example:443'],
  ])('%s of %s is %s', (name, path, line) => {
    expect(valueOf({ path }, name)).toBe(line)
  })

  it.each([
    ['an unknown derived component', {}, '@target-uri'],
    ['a missing field', {}, 'absent'],
    ['a field that stands twice', {}, 'twice'],
    ['a line break in a field', { headers: [['date', 'a\n"@method": GET']] as const }, 'date'],
    ['a line break in the path', { path: '/\n' }, '@path'],
    ['a carriage return in the method', { method: 'GET\r' }, '@method'],
  ])('%s is refused as http_signature_malformed', (_, changed, name) => {
    expect(codeOf(() => valueOf(changed, name))).toBe('http_signature_malformed')
  })
})
