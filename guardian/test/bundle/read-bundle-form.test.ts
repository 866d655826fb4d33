import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { readBundleForm } from '../../src/bundle/read-bundle-form.js'

const form = v.strictObject({ hosts: v.array(v.strictObject({ port: v.number() })), 'a/b~c': v.string() })
const faultOf = (value: Parameters<typeof readBundleForm>[1]): string => {
  try {
    readBundleForm(form, value)
    return 'none'
  } catch (error) {
    expect(error).toMatchObject({ code: 'object_malformed' })
    return (error as Error).message
  }
}

describe('a file of a policy bundle', () => {
  test('is read by its form', () => {
    expect(readBundleForm(form, { hosts: [{ port: 1 }], 'a/b~c': '' })).toEqual({
      hosts: [{ port: 1 }],
      'a/b~c': '',
    })
  })

  test('that has several faults is refused with a pointer to each, escaped as RFC 6901 says', () => {
    expect(faultOf({ hosts: [{ port: 1 }, { port: 'x' }], 'a/b~c': 1, more: true })).toBe(
      'missing, unknown or wrong: /hosts/1/port /a~1b~0c /more',
    )
  })

  test('that is no object at all is refused at its root', () => {
    expect(faultOf([])).toMatch(/: \//)
  })

  test('is not echoed: a message holds names, not values', () => {
    expect(faultOf({ hosts: 'secret-value', 'a/b~c': '' })).not.toContain('secret-value')
  })

  test('that has very many faults names 32 of them', () => {
    const hosts = Array.from({ length: 100 }, () => ({ port: 'x' }))
    expect(faultOf({ hosts, 'a/b~c': '' }).split(' /')).toHaveLength(33)
  })
})
