import { defineConfig } from 'vitest/config'
import base from '../../vitest.config.js'

// Images and what runs from them: `make test-containers`. Without a container engine the scenario runs on processes.
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ['infra/containers/test/**/*.test.ts'],
    testTimeout: 600_000,
    hookTimeout: 600_000,
    reporters: ['default', ['json', { outputFile: 'out/test-containers-report.json' }]],
  },
})
