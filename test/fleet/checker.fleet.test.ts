import { appendFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { noSmallDisk } from '../support/nats/small-disk.js';
import { withNats } from '../support/nats/with-nats.js';
import { check } from './checker/check.js';
import { SETUPS } from './checker/servers.js';

const {
  CHECKER_SEED = '1',
  CHECKER_RUNS = '1',
  CHECKER_STEPS = '8',
  CHECKER_SETUP,
  CHECKER_REPORT,
} = process.env;
const seeds = Array.from({ length: Number(CHECKER_RUNS) }, (_, index) => Number(CHECKER_SEED) + index);
/** One after the other, unless one is asked for. A store that was rolled back loses something: that is reported, not judged. */
const setupOf = (seed: number) =>
  SETUPS.find((setup) => setup === CHECKER_SETUP) ??
  (['three', 'one', 'small-disk'] as const)[seed % 3] ??
  'one';

/** `npm run check:fleet -- --runs 100 --seed 1` makes more of them. */
withNats('a fleet of processes that is broken by chance', () => {
  test.for(seeds)(
    'loses nothing and runs nothing twice (seed %i)',
    { timeout: 600_000 },
    async (seed, { skip }) => {
      const setup = setupOf(seed);
      const noDisk = setup === 'small-disk' ? noSmallDisk() : '';
      if (noDisk !== '') skip(noDisk);
      const verdict = await check({ seed, setup, conversations: 6, steps: Number(CHECKER_STEPS) });
      if (CHECKER_REPORT !== undefined) appendFileSync(CHECKER_REPORT, `${JSON.stringify(verdict)}\n`);
      const { accepted, unknown, resets: _resets, ...wrong } = verdict;
      if (setup === 'rollback') return;
      const none = {
        unanswered: [],
        lost: [],
        twice: [],
        refusedAndRan: [],
        unfounded: [],
        unsettled: [],
        unseen: [],
      };
      expect(wrong).toEqual({ seed, setup, ...none });
      // Workers share a disk here, so the transcript tells almost always.
      expect(unknown.length).toBeLessThanOrEqual(accepted / 20);
    },
  );
});
