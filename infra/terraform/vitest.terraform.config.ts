import { defineConfig } from 'vitest/config'
import base from '../../vitest.config.js'

// What needs terraform on the path: `make test-terraform`.
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ['infra/terraform/test/**/*.test.ts'],
    reporters: ['default', ['json', { outputFile: 'out/test-terraform-report.json' }]],
  },
})
