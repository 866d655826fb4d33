import type { JsonObject } from '@parley/protocol'
import { expect, test } from 'vitest'
import { checkOwnInput } from '../src/check-own-input.js'
import type { Session } from '../src/index.js'
import { seatBoth, startStage } from './double/stage.js'
import { BUYER, SELLER } from './double/terms.js'

const said = (session: Session, input: JsonObject): unknown => {
  try {
    checkOwnInput(session, input)
    return 'admitted'
  } catch (error) {
    return error
  }
}

test('an input of the own side is admitted, and one of the other side is not', async () => {
  const { bought, sold } = await seatBoth(await startStage())
  expect(said(bought, BUYER)).toBe('admitted')
  expect(said(sold, SELLER)).toBe('admitted')
  expect(said(sold, BUYER)).toMatchObject({ name: 'AgentError', code: 'input_refused' })
})

test.each<[string, JsonObject, RegExp]>([
  [
    'of a value that is not listed',
    { ...BUYER, currency: 'CANARY' },
    /value_not_listed, its member \/currency$/,
  ],
  ['of another type', { ...BUYER, ceiling: 'CANARY' }, /type_mismatch, its member \/ceiling$/],
  ['that is out of bounds', { ...BUYER, ceiling: -4711 }, /integer_out_of_range, its member \/ceiling$/],
  ['that lacks a member', { ceiling: 1 }, /member_missing, its member \/currency$/],
  ['with a strange member', { ...BUYER, CANARY: 1 }, /member_unknown, .*its members are ceiling, currency$/],
])('an input %s is refused by code and member, without its value', async (_, input, text) => {
  const { bought } = await seatBoth(await startStage())
  const error = said(bought, input)
  expect(error).toMatchObject({ code: 'input_refused' })
  expect(String(error)).toMatch(text)
  expect(String(error)).not.toMatch(/CANARY|4711/)
})
