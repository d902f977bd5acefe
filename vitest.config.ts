import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Vite would load a second copy of graphql-js beside the one that its other importers get.
    alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }],
    include: ['{model,runtime,services,gateway,dev,test,bench}/**/*.test.ts'],
    // Each file starts what it needs; two at a time on two cores.
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    teardownTimeout: 20_000,
  },
});
