export {
  type ActGrant,
  type ApprovalGrant,
  type ConsentGrant,
  type Grant,
  GRANT_LIFE,
  type GrantType,
  issueGrant,
  parseGrant,
  type UnsignedGrant,
  verifyGrant,
} from './grant.js'
export {
  type CountedGrant,
  GrantBook,
  type GrantPages,
  type GrantRecord,
  type UseTaken,
} from './grant-book.js'
export { GRANT_CODES, type GrantCode } from './grant-code.js'
export type { ActQuestion, ApprovalQuestion, ConsentQuestion, GrantQuestion } from './grant-question.js'
export { type Judged, judgeGrant } from './judge-grant.js'
export { issueRevocation, type Revocation, verifyRevocation } from './revocation.js'
export { isInScope, isWithinScope } from './scope.js'
export { countedOf, type GrantPorts, type GrantUse, useAnyGrant, useGrant } from './use-grant.js'
