import { expect, test } from 'vitest'
import { parseVmm } from '../../src/measure/vmm.js'
import { refusedAs } from './refused-as.js'

test.each([
  ['QEMU', 'qemu'],
  ['Ec2', 'ec2'],
  ['gce', 'gce'],
])('%s is a VMM in any case', (name, vmm) => {
  expect(parseVmm(name)).toBe(vmm)
})

test.each(['', 'kvm', 'qemu ', 'gcp', 'constructor'])(
  '"%s" is refused as measurement_input_malformed',
  async (name) => {
    await refusedAs('measurement_input_malformed', () => parseVmm(name))
  },
)
