import { expect, test } from 'vitest'
import { VCPU_TYPES, vcpuSignatureOf } from '../../src/measure/vcpu-types.js'
import { refusedAs } from './refused-as.js'

test.each([
  ['EPYC', 0x800f12],
  ['EPYC-v4', 0x800f12],
  ['EPYC-IBPB', 0x800f12],
  ['EPYC-Rome', 0x830f10],
  ['EPYC-Milan', 0xa00f11],
  ['EPYC-Milan-v2', 0xa00f11],
  ['EPYC-Genoa', 0xa10f10],
  ['EPYC-Turin', 0xb00f00],
])('%s shows its signature', (name, signature) => {
  expect(vcpuSignatureOf(name)).toBe(signature)
})

test('all versions of a model have its signature', () => {
  for (const [name, signature] of VCPU_TYPES) {
    if (/-v\d$/.test(name)) expect(VCPU_TYPES.get(name.replace(/-v\d$/, ''))).toBe(signature)
  }
})

test.each(['epyc-milan', 'EPYC-Milan-v9', 'host', '', 'constructor'])(
  'the type "%s" is refused as measurement_input_malformed',
  async (name) => {
    await refusedAs('measurement_input_malformed', () => vcpuSignatureOf(name))
  },
)
