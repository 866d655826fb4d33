import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AttestationError, judgeGenuine, parseReport, reportToJson } from '../../src/index.js'
import { LAYOUT, REPORT_BYTES, RESERVED, SIGNED_BYTES } from '../../src/report/layout.js'
import { codeOf, genuineInput } from '../evidence-folder.js'

const good = genuineInput('milan-v3-vcek').report

const changed = (at: number, ...by: number[]): Uint8Array => {
  const copy = new Uint8Array(good)
  copy.set(by, at)
  return copy
}

describe('a report', () => {
  it('is read field by field, little-endian', () => {
    const report = parseReport(changed(0x004, 1, 2, 3, 4))
    expect(report).toMatchObject({
      version: 3,
      guest_svn: 0x04030201,
      vmpl: 0,
      cpuid: { family: 0x19, model: 1, stepping: 1 },
    })
    expect(report.current_version).toEqual({ major: 1, minor: 55, build: 40 })
    expect(report.report_data[0]).toBe(0x80)
  })

  it('has no CPUID in version 2, and no mitigation vectors before version 5', () => {
    expect(parseReport(genuineInput('milan-v2-vcek').report).cpuid).toBeNull()
    expect(parseReport(genuineInput('milan-v4-vcek').report).launch_mit_vector).toBeNull()
    expect(parseReport(genuineInput('milan-v5-vcek').report).launch_mit_vector).toBe(3n)
  })

  it('is a copy: who keeps the buffer changes nothing', () => {
    const buffer = Buffer.from(good)
    const report = parseReport(buffer)
    buffer.fill(0)
    expect(report.version).toBe(3)
    expect(report.measurement[0]).toBe(1)
  })

  it.each([0, 1, 672, 1183, 1185, 4000])('of %i bytes is refused', async (size) => {
    expect(await codeOf(() => parseReport(new Uint8Array(size)))).toBe('report_malformed')
  })

  it('keeps every reserved byte of its version at zero', async () => {
    for (const [name, version] of [
      ['milan-v2-vcek', 2],
      ['milan-v3-vcek', 3],
      ['milan-v4-vcek', 4],
      ['milan-v5-vcek', 5],
    ] as const) {
      const report = genuineInput(name).report
      for (const { from, to, inVersions } of RESERVED) {
        if (!inVersions.includes(version)) continue
        for (let at = from; at < to; at++) {
          const broken = report.map((byte, index) => (index === at ? 1 : byte))
          expect(await codeOf(() => parseReport(broken))).toBe('report_malformed')
        }
      }
    }
  })

  it('has fields that neither overlap nor leave unreserved gaps, in version 5', () => {
    const covered = new Uint8Array(REPORT_BYTES)
    for (const { offset, size } of Object.values(LAYOUT))
      for (let at = offset; at < offset + size; at++) covered[at] = (covered[at] ?? 0) + 1
    for (const { from, to, inVersions } of RESERVED) {
      if (inVersions.includes(5)) for (let at = from; at < to; at++) covered[at] = (covered[at] ?? 0) + 1
    }
    expect(covered.every((times) => times === 1)).toBe(true)
    expect(LAYOUT.SIGNATURE.offset).toBe(SIGNED_BYTES)
  })

  it('shows a request of the host as such', () => {
    expect(parseReport(changed(0x030, 0xff, 0xff, 0xff, 0xff)).vmpl).toBe(0xffffffff)
  })

  it('is refused by a code of ours or read, whatever the bytes', () => {
    fc.assert(
      fc.property(
        fc.nat({ max: REPORT_BYTES - 1 }),
        fc.uint8Array({ minLength: 1, maxLength: 8 }),
        (at, by) => {
          const bytes = changed(0)
          bytes.set(by.subarray(0, REPORT_BYTES - at), at)
          try {
            expect(reportToJson(parseReport(bytes), 'Milan').version).toBeGreaterThan(1)
          } catch (error) {
            expect(error).toBeInstanceOf(AttestationError)
          }
        },
      ),
      { numRuns: 2000 },
    )
  })
})

describe('a report for a reader', () => {
  it('is plain JSON that survives a round trip', async () => {
    const judged = await judgeGenuine(genuineInput('turin-v5-vcek'))
    expect(JSON.parse(JSON.stringify(judged))).toEqual(judged)
  })

  it('names the parts of a TCB only where the product line is known', () => {
    const report = parseReport(good)
    expect(reportToJson(report, null).reported_tcb).toEqual({ raw: '04000000000018db', parts: null })
    expect(reportToJson(report, 'Milan').reported_tcb.parts).toEqual({
      bootloader: 4,
      tee: 0,
      snp: 24,
      microcode: 219,
    })
  })

  it('shows the version also of a report that is malformed', async () => {
    const judged = await judgeGenuine({ report: changed(0, 1), certificates: [], now: 0 })
    expect(judged).toMatchObject({
      genuine: false,
      code: 'report_malformed',
      report_version: 1,
      report: null,
    })
    expect(
      (await judgeGenuine({ report: new Uint8Array(3), certificates: [], now: 0 })).report_version,
    ).toBeNull()
  })
})
