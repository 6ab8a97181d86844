import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const floor = { statements: 95, branches: 90, functions: 95, lines: 95 };
const layersWithFloor = ['wire/protocol', 'wire/peer', 'host/cli', 'host/core', 'host/session'];

/** `npm test` runs these of the tests that take long; `npm run test:all` runs all of them. */
const isWhole = process.env.COXSWAIN_TESTS !== 'some';
const realTests = isWhole ? '*' : '{session,turn,prompts,process-launch}';
const browserTests = isWhole ? '*' : 'console-list';

export default defineConfig({
  test: {
    globalSetup: './test/support/global-setup.ts',
    reporters: ['default', './scripts/lib/count-reporter.mjs'],
    // The default of one second is too short on a busy machine.
    expect: { poll: { timeout: 20_000 } },
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      reporter: ['text-summary', 'json-summary', 'html'],
      thresholds: Object.fromEntries(layersWithFloor.map((layer) => [`src/${layer}/**`, floor])),
    },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/**/*.{real,tools,browser,fleet}.test.ts', '**/node_modules/**'],
          testTimeout: 30_000,
          // By default one core is left free, which on two cores means no parallel work at all.
          maxWorkers: availableParallelism(),
          sequence: { groupOrder: 0 },
        },
      },
      {
        // Tests of the checks themselves: they need `tools`, so `npm run check:package` runs them.
        extends: true,
        test: {
          name: 'tools',
          include: ['test/**/*.tools.test.ts'],
          exclude: ['**/node_modules/**'],
          testTimeout: 120_000,
          sequence: { groupOrder: 2 },
        },
      },
      {
        // Real CLIs take seconds and hundreds of megabytes each: after the others, one file at a time.
        extends: true,
        test: {
          name: 'real',
          include: [`test/**/${realTests}.real.test.ts`],
          exclude: ['**/node_modules/**'],
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        // Pages in a real browser, the system's Chromium: one file at a time, since each starts a browser.
        extends: true,
        test: {
          name: 'browser',
          include: [`test/**/${browserTests}.browser.test.ts`],
          exclude: ['**/node_modules/**'],
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 3 },
        },
      },
      {
        // Real nats-servers and workers as processes, with leases of seconds: one file at a time, after the others.
        extends: true,
        test: {
          name: 'fleet',
          include: ['test/fleet/*.fleet.test.ts'],
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 4 },
        },
      },
    ],
  },
});
