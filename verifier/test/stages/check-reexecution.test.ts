import { describe, expect, it } from 'vitest'
import { failures, judge } from '../judge.js'
import { CONTRACT } from '../minted-bundle.js'
import { without } from '../without.js'

describe('with both inputs open', () => {
  it('an output that the program does not give is found', async () => {
    const verdict = await judge({ output: { overlap: 'NO' } })
    expect(verdict).toMatchObject({ trusted: false, exit_code: 4 })
    expect(failures(verdict)).toEqual({ reexecution: 'reexecution_mismatch' })
  })

  it('an abort that the program does not give is found', async () => {
    const verdict = await judge({ outcome: { status: 'ABORTED', abort_class: 'OUTPUT_REFUSED' } })
    expect(failures(verdict)).toEqual({ reexecution: 'reexecution_mismatch' })
  })

  it('an abort that the program does give is confirmed', async () => {
    const contract = without(CONTRACT, 'program_hash')
    const running = (source: string, abort_class: 'EVALUATION_FAILED' | 'OUTPUT_REFUSED') =>
      judge({
        contract: () => ({ ...contract, program: { language: 'cel', source, cost_limit: 1000 } }),
        outcome: { status: 'ABORTED', abort_class },
      })
    const divides = '{"overlap": initiator.ceiling / 0 > 1 ? "YES" : "NO"}'
    expect(await running(divides, 'EVALUATION_FAILED')).toMatchObject({ trusted: true })
    expect(await running('{"overlap": "MAYBE"}', 'OUTPUT_REFUSED')).toMatchObject({ trusted: true })
    expect(failures(await running(divides, 'OUTPUT_REFUSED'))).toEqual({
      reexecution: 'reexecution_mismatch',
    })
  })
})
