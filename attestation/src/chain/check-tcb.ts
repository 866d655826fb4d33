import { AttestationError } from '../errors.js'
import type { ProductLine } from '../product.js'
import type { Report } from '../report/report.js'
import { checkTcbReserved } from '../report/tcb.js'
import { checkLeafParts, leafHasTcb } from './leaf-tcb.js'
import type { LeafCertificate } from './select-leaf.js'

/**
 * The leaf was derived with exactly the TCB that the report names: REPORTED_TCB, not the current or committed one.
 * @throws AttestationError tcb_mismatch; certificate_malformed, report_malformed where a TCB has not its product's form
 */
export const checkTcb = (report: Report, { leaf }: LeafCertificate, product: ProductLine): void => {
  checkLeafParts(leaf, product)
  const tcbs = [report.current_tcb, report.reported_tcb, report.committed_tcb, report.launch_tcb]
  for (const tcb of tcbs) checkTcbReserved(tcb, product)
  if (!leafHasTcb(leaf, report.reported_tcb, product)) {
    throw new AttestationError('tcb_mismatch', 'the leaf was derived with another TCB than REPORTED_TCB')
  }
}
