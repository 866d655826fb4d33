import { describe, expect, it } from 'vitest'
import { assembleUki } from '../../src/image/assemble-uki.js'
import { authenticodeDigest } from '../../src/image/authenticode-digest.js'
import { readPe, sectionBytes } from '../../src/image/pe-image.js'
import { predictPcrs } from '../../src/image/predict-pcrs.js'

/** A PE32+ image with one section and room for more. */
function pe(dllCharacteristics: number): Buffer {
  const image = Buffer.alloc(0x600)
  image.writeUInt32LE(0x80, 0x3c)
  image.write('PE\0\0', 0x80, 'latin1')
  image.writeUInt16LE(1, 0x86)
  image.writeUInt16LE(240, 0x94)
  const optional = 0x98
  image.writeUInt16LE(0x20b, optional)
  image.writeUInt32LE(0x1000, optional + 32)
  image.writeUInt32LE(0x200, optional + 36)
  image.writeUInt32LE(0x400, optional + 60)
  image.writeUInt16LE(dllCharacteristics, optional + 70)
  const row = optional + 240
  image.write('.text', row, 'latin1')
  for (const [at, value] of [
    [8, 0x200],
    [12, 0x1000],
    [16, 0x200],
    [20, 0x400],
  ] as const)
    image.writeUInt32LE(value, row + at)
  return image
}

const parts = {
  stub: pe(0x160),
  linux: pe(0x100),
  initrd: Buffer.from('five!'),
  cmdline: 'console=ttyS0',
  uname: '6.12',
}

const uki = assembleUki(parts)

describe('a unified kernel image', () => {
  it('holds its parts as sections that neither overlap in memory nor in the file', () => {
    const { sections } = readPe(uki)
    expect(sections.map(({ name }) => name)).toEqual(['.text', '.cmdline', '.uname', '.initrd', '.linux'])
    for (const [at, section] of sections.slice(1).entries()) {
      const before = sections[at]
      expect(section.virtualAddress).toBeGreaterThanOrEqual(
        (before?.virtualAddress ?? 0) + (before?.virtualSize ?? 0),
      )
      expect(section.rawOffset).toBe((before?.rawOffset ?? 0) + (before?.rawSize ?? 0))
    }
    const initrd = sections.find(({ name }) => name === '.initrd')
    expect(initrd === undefined ? null : sectionBytes(uki, initrd).toString()).toBe('five!')
  })

  it('says that it needs no executable data only if its kernel says so too', () => {
    const nx = (image: Buffer): number => image.readUInt16LE(readPe(image).dllCharacteristicsAt) & 0x100
    expect(nx(uki)).toBe(0x100)
    expect(nx(assembleUki({ ...parts, linux: pe(0) }))).toBe(0)
  })

  it('is not made where the stub has no room for another section', () => {
    const full = pe(0)
    full.writeUInt32LE(0x1b0, 0x98 + 60)
    expect(() => assembleUki({ ...parts, stub: full })).toThrow('no room')
  })

  it('keeps its Authenticode digest when it is signed, and loses it with any other change', () => {
    const signed = Buffer.concat([uki, Buffer.alloc(64, 7)])
    signed.writeUInt32LE(uki.length, readPe(uki).certificateTableAt)
    signed.writeUInt32LE(64, readPe(uki).certificateTableAt + 4)
    expect(authenticodeDigest(signed)).toEqual(authenticodeDigest(uki))
    const altered = Buffer.from(uki)
    altered.writeUInt8(1, uki.length - 1)
    expect(authenticodeDigest(altered)).not.toEqual(authenticodeDigest(uki))
  })

  it('with another initrd or command line has other PCRs 4, 9 and 11, with another kernel 4 and 11', () => {
    const pcrs = predictPcrs(uki)
    for (const changed of [{ initrd: Buffer.from('six!!!') }, { cmdline: 'console=ttyS1' }]) {
      const other = predictPcrs(assembleUki({ ...parts, ...changed }))
      for (const index of ['4', '9', '11'] as const) expect(other[index]).not.toBe(pcrs[index])
    }
    const other = predictPcrs(assembleUki({ ...parts, linux: pe(0x101) }))
    expect(other['11']).not.toBe(pcrs['11'])
    expect(other['9']).toBe(pcrs['9'])
  })
})
