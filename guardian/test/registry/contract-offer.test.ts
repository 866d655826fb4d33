import type { JsonObject } from '@parley/protocol'
import { expect, test } from 'vitest'
import { parseContractOffer } from '../../src/registry/index.js'
import { celOffer, modelOffer, offerOf } from './small-offer.js'

const malformed = expect.objectContaining({ code: 'object_malformed' }) as Error

test.each([
  ['with a program', celOffer],
  ['for a model', modelOffer],
  ['without input schemas', { ...celOffer, input_schemas: null }],
])('an offer %s is read as it stands', (_, offer) => {
  expect(parseContractOffer(offer)).toEqual(offer)
})

test.each(Object.keys(celOffer))('an offer without %s is refused', (member) => {
  const { [member]: _, ...rest } = celOffer
  expect(() => parseContractOffer(rest)).toThrow(malformed)
})

test.each<[string, JsonObject, JsonObject]>([
  ['an unknown member', { note: '' }, celOffer],
  ['another version', { offer_version: '2' }, celOffer],
  ['a schema by its name', { schema_ref: 'meets' }, celOffer],
  ['a policy by a bare hash', { policy_ref: 'ab'.repeat(32) }, celOffer],
  ['a program by a channel', { program_ref: 'equal@latest' }, celOffer],
  ['a model profile for a program', { allowed_model_profiles: [`sha256:${'ab'.repeat(32)}`] }, celOffer],
  ['no model profile for a model', { allowed_model_profiles: [] }, modelOffer],
  ['the local evaluator, which follows from a profile', { evaluator: 'local' }, modelOffer],
  ['one role', { roles: ['alone'] }, celOffer],
  ['nine roles', { roles: Array.from({ length: 9 }, (_, at) => `role-${at}`) }, celOffer],
  ['a purpose of small letters', { purpose_code: 'test' }, celOffer],
  ['half a bit', { entropy_budget_bits: 0.5 }, celOffer],
  ['no tokens', { max_completion_tokens: 0 }, modelOffer],
  ['a list of input schemas', { input_schemas: [] }, celOffer],
  ['a text as metadata', { metadata_defaults: 'x' }, celOffer],
])('an offer with %s is refused', (_, change, base) => {
  expect(() => offerOf(change, base)).toThrow(malformed)
})
