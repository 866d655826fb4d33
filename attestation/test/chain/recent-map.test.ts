import { describe, expect, it } from 'vitest'
import { RecentMap } from '../../src/chain/recent-map.js'

const filled = (capacity: number, keys: string): RecentMap<string, string> => {
  const map = new RecentMap<string, string>(capacity)
  for (const key of keys) map.set(key, key.toUpperCase())
  return map
}

const held = (map: RecentMap<string, string>, keys: string): string =>
  Array.from(keys)
    .filter((key) => map.get(key) !== undefined)
    .join('')

describe('a map of what was used last', () => {
  it('gives what was put in, and nothing else', () => {
    const map = filled(2, 'a')
    expect(map.get('a')).toBe('A')
    expect(map.get('b')).toBeUndefined()
  })

  it('holds no more than its bound', () => {
    expect(held(filled(3, 'abcdefg'), 'abcdefg')).toBe('efg')
    expect(held(filled(1, 'ab'), 'ab')).toBe('b')
  })

  it('passes over what was used since it came in, once', () => {
    const map = filled(2, 'ab')
    map.get('a')
    map.set('c', 'C')
    map.set('d', 'D')
    expect(held(map, 'abcd')).toBe('cd')
  })

  it('forgets the first where all were used', () => {
    const map = filled(3, 'abc')
    expect(held(map, 'abc')).toBe('abc')
    map.set('d', 'D')
    expect(held(map, 'abcd')).toBe('bcd')
  })

  it('forgets nothing where it replaces', () => {
    const map = filled(2, 'ab')
    map.set('a', 'other')
    expect(held(map, 'ab')).toBe('ab')
    expect(map.get('a')).toBe('other')
  })

  it('takes up again what it forgot', () => {
    const map = filled(2, 'abc')
    map.set('a', 'A')
    expect(held(map, 'abc')).toBe('ac')
  })
})
