import type { RefusalCode } from '@parley/protocol'

/** What each of a relay's refusals means to whoever asked, in a sentence. */
export const REFUSAL_TEXT: Readonly<Record<RefusalCode, string>> = {
  request_malformed: 'the relay could not read the request',
  date_out_of_window: "the request's date is too far from the relay's clock; check the clock of this machine",
  http_signature_invalid: 'the signature on the request does not verify',
  role_refused: 'the seat in this session is not yours to take or to use',
  consent_invalid: 'the consent is not yours, or not to this offer',
  route_unknown: 'the relay has no such operation',
  session_unknown: 'the relay knows no such session; it may have ended long ago, or the relay was restarted',
  request_replayed: 'the relay has had this very request before',
  sequence_replayed: 'the relay has had a later request of yours in this session',
  state_conflict: 'the session has gone on, and this can no longer be done in it, or not yet',
  already_submitted: 'your input is in already, and stays as it is',
  consent_missing: 'all participants must consent before an input is taken',
  contract_mismatch: 'the session is under another contract than yours',
  offer_stale: 'the request is about another offer than the one that stands',
  ledger_head_unknown:
    "the relay's store does not know the ledger head that you hold for this tag: it was rolled back and has forgotten" +
    ' what was spent, or it is another store, and the tag was used at another relay meanwhile. Use one tag per relay:' +
    ' a head can be carried on to a relay that does not know the tag, and not back',
  budget_exhausted:
    'the charge of this session is more than is left of the budget for the secret of one participant',
  session_expired: 'the session is over its time',
  too_large: 'the request is larger than the relay takes',
  contract_refused: 'the relay does not admit the contract',
  input_refused: 'the contract does not admit this input',
  ledger_claim_refused: 'the relay does not accept what you say of your ledger',
  relay_overloaded: 'the relay has no room now; try again later',
  keyset_expired: "the relay's keys have expired; it must be restarted by its operator",
  relay_failed: 'the relay failed at this request, and nothing of it counts',
}
