import { describe, expect, it } from 'vitest'
import { productFromCpuid, productFromName } from '../src/product.js'

describe('a product line', () => {
  it.each([
    [0x19, 0x00, 'Milan'],
    [0x19, 0x01, 'Milan'],
    [0x19, 0x0f, 'Milan'],
    [0x19, 0x10, 'Genoa'],
    [0x19, 0x11, 'Genoa'],
    [0x19, 0x1f, 'Genoa'],
    [0x19, 0xa0, 'Genoa'],
    [0x19, 0xaf, 'Genoa'],
    [0x1a, 0x00, 'Turin'],
    [0x1a, 0x02, 'Turin'],
    [0x1a, 0x11, 'Turin'],
    [0x19, 0x20, null],
    [0x19, 0x9f, null],
    [0x19, 0xb0, null],
    [0x1a, 0x12, null],
    [0x1a, 0x50, null],
    [0x17, 0x01, null],
    [0x00, 0x00, null],
  ])('of family %i, model %i is %s', (family, model, product) => {
    expect(productFromCpuid({ family, model, stepping: 0 })).toBe(product)
  })

  it.each([
    ['Milan', 'Milan'],
    ['Milan-B0', 'Milan'],
    ['Genoa', 'Genoa'],
    ['Turin-A1', 'Turin'],
    ['milan', null],
    ['Milan ', null],
    ['Milano', null],
    ['Venice', null],
    ['', null],
    ['-Milan', null],
  ])('named %s is %s', (name, product) => {
    expect(productFromName(name)).toBe(product)
  })
})
