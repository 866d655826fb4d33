import { type Receipt, receiptCore, receiptLeaf } from '@parley/protocol'
import type { Services } from '../session/services.js'
import { readRecord, recordWrite } from './session-record.js'

const ATTEMPTS = 5

/**
 * Hangs a receipt on a report, after the commit: results that are fetched before say `pending`. A report that cannot
 * be had leaves it at that; the receipt stands without.
 */
export async function attachHardwarePath(services: Services, receipt: Receipt): Promise<void> {
  const { clock, bundle } = services
  for (let attempt = 1; attempt <= ATTEMPTS && !services.closed(); attempt++) {
    if (await attached(services, receipt)) return
    await clock.sleepUntil(clock.nowMs() + attempt * bundle.limits.release_slot_ms)
  }
}

const attached = async (services: Services, receipt: Receipt): Promise<boolean> => {
  try {
    const binding = await services.reporter.bind(receiptLeaf(receiptCore(receipt)))
    const record = readRecord(services.store, receipt.session_id)
    if (record === undefined) return false
    const bundle = { ...record.bundle, hardware_path: { status: 'present' as const, binding } }
    await services.store.commit([recordWrite(receipt.session_id, { ...record, bundle })])
    return true
  } catch {
    // The reporter has logged why; a later attempt may find it in order.
    return false
  }
}
