import { defineConfig } from 'vitest/config'

const conditions = ['source', 'module', 'node', 'import', 'default']

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['*/test/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/own-temporary-folder.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    reporters: ['default', ['json', { outputFile: 'out/test-report.json' }]],
  },
})
