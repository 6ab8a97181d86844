import { availableParallelism, totalmem } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';

const floor = { statements: 95, branches: 90, functions: 95, lines: 95 };
const layersWithFloor = ['wire/protocol', 'wire/peer', 'host/cli', 'host/core', 'host/session'];

/** `npm test` runs these of the tests that start real CLIs, browsers and servers; `npm run test:all` runs all of them. */
const isWhole = process.env.COXSWAIN_TESTS !== 'some';
const realTests = isWhole ? '*' : '{session,turn,compat,patches-verify}';
const browserTests = isWhole ? '*' : 'console-list';
const fleetTests = isWhole ? '*' : 'take-over';

/** Tests that start programs mostly wait for them, so two files share a core if there is memory for their programs. */
const cores = availableParallelism();
const WORKER_BYTES = 2 * 1024 ** 3;
const manyWorkers = Math.max(1, Math.min(2 * cores, Math.floor(totalmem() / WORKER_BYTES)));

/** A project of tests that start programs. */
const withPrograms = (name: string, include: string, globalSetup: string[] = []) => ({
  extends: true as const,
  test: {
    name,
    include: [include],
    globalSetup,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: manyWorkers,
    sequence: { groupOrder: 1 },
  },
});

export default defineConfig({
  test: {
    globalSetup: './test/support/global-setup.ts',
    reporters: ['default', './scripts/lib/test-reporter.mjs'],
    // Loading the sources anew for each file takes longer than most tests.
    isolate: false,
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
          exclude: [...configDefaults.exclude, 'test/**/*.{slow,real,browser,fleet,versions,tools}.test.ts'],
          testTimeout: 30_000,
          // Some of these wait for processes too; by default one core would even be left free.
          maxWorkers: cores + 1,
          sequence: { groupOrder: 0 },
        },
      },
      // Tests of what takes long: many processes, large files, the compiler, other runtimes and clients.
      withPrograms('slow', 'test/**/*.slow.test.ts'),
      withPrograms('real', `test/**/${realTests}.real.test.ts`),
      // Pages in a real browser, the system's Chromium.
      withPrograms('browser', `test/**/${browserTests}.browser.test.ts`, ['./test/support/browser-setup.ts']),
      // Real nats-servers and workers as processes.
      withPrograms('fleet', `test/fleet/${fleetTests}.fleet.test.ts`),
      // CLI versions in between, and the suites and programs of others: `npm run test:versions`.
      withPrograms('versions', 'test/**/*.versions.test.ts'),
      // Tests of the checks themselves: they need `tools`, so `npm run check:package` runs them.
      withPrograms('tools', 'test/**/*.tools.test.ts'),
    ],
  },
});
