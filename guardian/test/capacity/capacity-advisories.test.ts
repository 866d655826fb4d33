import fc from 'fast-check'
import { expect, test } from 'vitest'
import { capacityAdvisories } from '../../src/capacity/capacity-advisories.js'
import { capacityOf } from '../../src/index.js'

const differs = [{ code: 'agentvault_figure_differs' }]

test.each<[string, bigint, number | null, readonly object[]]>([
  ['below the counted bits', 9n, 3, differs],
  ['declared as nothing', 2n, 0, differs],
  ['missing, which its relay signs as nothing', 2n, null, differs],
  ['the counted bits', 8n, 3, []],
  ['above the counted bits, as a sum of ceilings', 450n, 11, []],
  ['nothing, where there is one output', 1n, 0, []],
  ['missing, where there is one output', 1n, null, []],
])("AgentVault's figure %s", (_, outputs, figure, advisories) => {
  for (const evaluator of ['cel', 'llm'] as const)
    expect(capacityAdvisories(capacityOf(outputs, figure, evaluator))).toEqual(advisories)
})

test("there is a warning just where AgentVault's bits can't number the outputs", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 2n ** 70n }), fc.nat(75), (outputs, figure) => {
      const warned = capacityAdvisories(capacityOf(outputs, figure, 'cel')).length > 0
      expect(warned).toBe(outputs > 2n ** BigInt(figure))
    }),
  )
})
