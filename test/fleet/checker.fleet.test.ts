import { appendFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { noNetworks } from '../support/nats/networks.js';
import { noSmallDisk } from '../support/nats/small-disk.js';
import { withNats } from '../support/nats/with-nats.js';
import { check } from './checker/check.js';
import { SETUPS, type Setup } from './checker/servers.js';

const {
  CHECKER_SEED = '1',
  CHECKER_RUNS = '1',
  CHECKER_STEPS = '8',
  CHECKER_SETUP,
  CHECKER_REPORT,
} = process.env;
const seeds = Array.from({ length: Number(CHECKER_RUNS) }, (_, index) => Number(CHECKER_SEED) + index);
/** One after the other, unless one is asked for. */
const setupOf = (seed: number) =>
  SETUPS.find((setup) => setup === CHECKER_SETUP) ?? SETUPS[(seed - 1) % SETUPS.length] ?? 'one';
/** Why a setup cannot run here, or an empty string. */
const lacking: Partial<Record<Setup, () => string>> = { 'small-disk': noSmallDisk, networks: noNetworks };

/** `npm run check:fleet -- --runs 100 --seed 1` makes more of them. */
withNats('a fleet of processes that is broken by chance', () => {
  test.for(seeds)(
    'loses nothing and runs nothing twice (seed %i)',
    { timeout: 600_000 },
    async (seed, { skip }) => {
      const setup = setupOf(seed);
      const why = lacking[setup]?.() ?? '';
      if (why !== '') skip(why);
      const verdict = await check({ seed, setup, conversations: 6, steps: Number(CHECKER_STEPS) });
      if (CHECKER_REPORT !== undefined) appendFileSync(CHECKER_REPORT, `${JSON.stringify(verdict)}\n`);
      const { accepted, unknown, resets: _resets, ...wrong } = verdict;
      const none = {
        unanswered: [],
        lost: [],
        twice: [],
        refusedAndRan: [],
        unfounded: [],
        unsettled: [],
        unseen: [],
      };
      // What a store forgets with a worker that was killed is gone; its viewers are told, and nothing runs twice.
      const forgotten = setup === 'rollback' ? pick(wrong, ['lost', 'unsettled', 'unfounded']) : {};
      expect(wrong).toEqual({ seed, setup, ...none, ...forgotten });
      // Workers share a disk here, so the transcript tells almost always.
      expect(unknown.length).toBeLessThanOrEqual(accepted / 20);
    },
  );
});

function pick<Key extends string>(from: Readonly<Record<Key, unknown>>, keys: readonly Key[]) {
  return Object.fromEntries(keys.map((key) => [key, from[key]]));
}
