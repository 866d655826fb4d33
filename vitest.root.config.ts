import { defineConfig } from 'vitest/config'
import base from './vitest.config.js'

// What mounts file systems and so needs root: `make test-root`.
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ['*/test-root/**/*.test.ts'],
    reporters: ['default', ['json', { outputFile: 'out/test-root-report.json' }]],
  },
})
