import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{model,runtime,services,gateway,dev,test}/**/*.test.ts'],
    // Each file starts what it needs; two at a time on two cores.
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    teardownTimeout: 20_000,
  },
});
