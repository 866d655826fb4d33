import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkOutput, compileOutputSchema } from '../../src/index.js'
import { arbitraryFamily, type Written } from '../schema/arbitrary-family.js'
import { looseOracle } from '../schema/oracle.js'
import { universeOf } from '../schema/universe.js'

test.each<Written>(['2020-12', 'draft-07'])(
  'in %s the count is the number of values that ajv admits, and checkOutput admits just these',
  (written) => {
    fc.assert(
      fc.property(arbitraryFamily(written), (schema) => {
        const compiled = compileOutputSchema(schema)
        fc.pre(compiled.ok)
        const universe = universeOf(schema)
        fc.pre(universe !== null)
        const admits = looseOracle(schema)
        const admitted = universe.filter(admits)
        expect(compiled.shape.outputs).toBe(BigInt(admitted.length))
        const checked = universe.filter((value) => checkOutput(compiled.shape, value).ok)
        expect(checked).toEqual(admitted)
        const longest = Math.max(...admitted.map((value) => JSON.stringify(value).length))
        expect(compiled.shape.maxOutputBytes).toBeGreaterThanOrEqual(longest)
      }),
      { numRuns: 1000, maxSkipsPerRun: 100 },
    )
  },
)
