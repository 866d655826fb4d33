export {
  type AuditRecord,
  auditRecordLine,
  type ErasedRecord,
  eraseRecord,
  isErased,
  type KeptRecord,
  parseAuditRecord,
} from './audit-record.js'
export { type AuditFault, type AuditFaultCode, readAuditLog, type ReadAuditLog } from './read-audit-log.js'
export { isSealedLine, readSealedLog, type SealedLog } from './read-sealed-log.js'
export { SEVERITIES, type Severity, severityOf } from './severity.js'
export { isOfSubject, subjectPseudonym } from './subject.js'
