import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { allOf, askForChain, type Decision, strictestAnswer } from '../../src/index.js'
import { BUNDLE, identity, policyOf, request } from './stage.js'

const ORDER: readonly Decision[] = ['deny', 'approval_required', 'allow']
const decision = fc.constantFrom(...ORDER)
const question = {
  principal: identity.principal,
  action: 'tool.invoke',
  resource: { type: 'Tool', id: 't', attributes: {} },
  ...{ purpose: request.purpose, classification: request.classification, recipients: [] },
}
const least = (decisions: readonly Decision[]): Decision =>
  ORDER.find((one) => decisions.includes(one)) ?? 'deny'

describe('several answers', () => {
  test('UAR-07: are as strict as the strictest: with one deny, a deny', () => {
    fc.assert(
      fc.property(fc.array(decision), (decisions) => {
        const answer = strictestAnswer(decisions.map((one) => ({ decision: one, rules: [one] })))
        expect(answer.decision).toBe(least(decisions))
        expect(answer.rules).toEqual(decisions.length === 0 ? [] : [least(decisions)])
      }),
    )
  })

  test('UAR-08: of nobody are a deny', () => {
    expect(allOf(BUNDLE, []).decide(question)).toEqual({ decision: 'deny', rules: [] })
  })

  test('UAR-08: are a deny where one policy fails', () => {
    const failing = policyOf(() => {
      throw new Error('rule failed')
    })
    expect(allOf(BUNDLE, [policyOf('allow'), failing]).decide(question)).toEqual({
      decision: 'deny',
      rules: ['policy_failed'],
    })
  })

  test('UAR-27: down a chain are an intersection: never more than any link has', () => {
    fc.assert(
      fc.property(fc.array(decision, { maxLength: 5 }), decision, (links, own) => {
        const delegation = links.map((link, index) => ({
          type: 'Agent',
          id: `${index}`,
          attributes: { link },
        }))
        const policy = policyOf(({ principal }) => links[Number(principal.id)] ?? own)
        expect(askForChain(policy, question, delegation).decision).toBe(least([...links, own]))
      }),
    )
  })
})
