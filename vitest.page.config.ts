import { defineConfig } from 'vitest/config'
import base from './vitest.config.js'

// What runs the built page in a browser: `make test-page`.
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ['verifier/page/test/**/*.test.ts'],
    reporters: ['default', ['json', { outputFile: 'out/test-page-report.json' }]],
  },
})
