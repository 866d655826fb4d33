import { type ApprovalRequest, isOver, MOST_APPROVAL_SECONDS } from './approval.js'
import { decideAgain } from './decide-case.js'
import { endAs, factsOfCase, type GateCase, type GatePorts, STOPPED, type Stage } from './gate-case.js'
import { denied } from './outcome.js'
import { untilAborted } from './until-aborted.js'

/** Asks whoever may answer for the principal, and waits. */
export const askApproval = async (ports: GatePorts, given: GateCase): Promise<Stage> => {
  const now = ports.nowSeconds()
  const request: ApprovalRequest = {
    effect: given.statement,
    effect_digest: given.digest,
    asked_at: now,
    expires_at: now + Math.min(ports.approvalSeconds, MOST_APPROVAL_SECONDS),
    rules: given.answer?.rules ?? [],
  }
  const content = { expires_at: request.expires_at }
  const asked = await given.run.advance({ event: 'approval_required', facts: factsOfCase(given), content })
  return asked ? awaitApproval(ports, given, request) : STOPPED
}

/**
 * Waits for the answer to a request and uses it up; then everything is decided again, since identity and rules may
 * have changed meanwhile. A yes only lifts the need for a yes: it cannot lift a deny.
 */
export const awaitApproval = async (
  ports: GatePorts,
  given: GateCase,
  request: ApprovalRequest,
): Promise<Stage> => {
  switch (await answerTo(ports, given, request)) {
    case undefined:
      return STOPPED
    case 'expired':
      return endAs(given, { kind: 'expired', reason: 'approval_expired' })
    case 'denied':
      return endAs(given, denied('approval_denied'))
    case 'refused':
      return endAs(given, denied('approval_unusable'))
    case 'used': {
      const approved = await given.run.advance({ event: 'approved', facts: factsOfCase(given) })
      return approved ? decideAgain(ports, given) : STOPPED
    }
  }
}

type Answer = 'used' | 'denied' | 'expired' | 'refused' | undefined

const answerTo = async (
  { approvals, nowSeconds }: GatePorts,
  { run, statement }: GateCase,
  request: ApprovalRequest,
): Promise<Answer> => {
  const signal = run.signalOf(statement.effect_id)
  try {
    await approvals.ask(request)
    const answer = await untilAborted(approvals.answer(request, signal), signal)
    if (answer !== 'approved') return answer
    // The host's clock has the last word: an approval that was read late is as good as none.
    return isOver(request, nowSeconds()) ? 'expired' : await approvals.use(request.effect_digest)
  } catch {
    return 'refused'
  }
}
