import { LAYOUT } from '../../src/report/layout.js'

/** A firmware that signs nothing: the same report, over other data. */
export const reportOver =
  (report: Uint8Array) =>
  (reportData: Uint8Array): Uint8Array => {
    const over = new Uint8Array(report)
    over.set(reportData, LAYOUT.REPORT_DATA.offset)
    return over
  }
