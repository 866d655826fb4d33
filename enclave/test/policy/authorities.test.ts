import { formatDid, generateSigningKey, type JsonValue } from '@parley/protocol'
import { expect, test } from 'vitest'
import { readAuthorities } from '../../src/policy/authorities.js'
import { readPolicyFiles } from '../../src/policy/policy-files.js'
import { loadPolicyBundle, readPolicyBundle } from '../../src/policy-bundle.js'
import { bytes, POLICY_DIRECTORY } from '../boot.js'

const didOf = (): string =>
  formatDid({ namespace: 'self', kind: 'agent', publicKey: generateSigningKey().publicKey })
const ONE = didOf()
const file = (value: JsonValue) => new Map([['provisioning.json', bytes(JSON.stringify(value))]])
const listed = (authorities: JsonValue) => file({ version: 'parley-provisioning-v1', authorities })

test('a bundle has the authorities that its file names', () => {
  const two = [ONE, didOf()]
  expect(readAuthorities(listed(two))).toEqual(two)
  const files = new Map([...readPolicyFiles(POLICY_DIRECTORY), ...listed(two)])
  const bundle = readPolicyBundle(files, 'confidential')
  expect(bundle.authorities).toEqual(two)
  expect(bundle.hash).not.toBe(loadPolicyBundle(POLICY_DIRECTORY, 'confidential').hash)
})

test('a bundle without the file has no authority, and so has the shipped one', () => {
  expect(readAuthorities(new Map())).toEqual([])
  expect(loadPolicyBundle(POLICY_DIRECTORY, 'confidential').authorities).toEqual([])
})

test.each<[string, ReturnType<typeof file>]>([
  ['nobody', listed([])],
  ['the same twice', listed([ONE, ONE])],
  ['nine', listed(Array.from({ length: 9 }, didOf))],
  ['a key that is no DID', listed(['AAAA'])],
  ['a DID of another key’s form', listed([`${ONE}1`])],
  ['a DID that no log has room for', listed([ONE.replace('self', 's'.repeat(128))])],
  ['no list', listed(ONE)],
  ['another version', file({ version: 'parley-provisioning-v2', authorities: [ONE] })],
  ['another member', file({ version: 'parley-provisioning-v1', authorities: [ONE], any: true })],
  ['no version', file({ authorities: [ONE] })],
])('provisioning.json with %s is policy_malformed', (_, files) => {
  expect(() => readAuthorities(files)).toThrow(expect.objectContaining({ code: 'policy_malformed' }) as Error)
})
