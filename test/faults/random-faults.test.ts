import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expectNoListener, holdings, nothingMoreThan } from './leftovers.js';
import { plan } from './random/arbitraries.js';
import { HostProgram, type SentTurn } from './random/host-program.js';
import { NumberedCli } from './random/numbered-cli.js';

const { COXSWAIN_SEED, COXSWAIN_RUNS } = process.env;
const seed = Number(COXSWAIN_SEED ?? Math.floor(Math.random() * 2 ** 31));
const numRuns = Number(COXSWAIN_RUNS ?? 400);
/** However slow the machine is, the run ends; unless somebody asked for so many. */
const limitMs = COXSWAIN_RUNS === undefined ? 15_000 : 3_600_000;

test(
  `faults mixed with turns leave every promise kept (COXSWAIN_SEED=${seed})`,
  async () => {
    const before = holdings();
    await fc.assert(
      fc.asyncProperty(plan, async ({ cli: cliPlan, host: acts, prompts }) => {
        const cli = new NumberedCli(cliPlan);
        const host = new HostProgram(cli, prompts);
        await host.run(acts);
        checkMessages(cli, host);
        for (const sent of host.turns) checkTurn(cli, sent);
        expect(host.calls.map(({ settled }) => settled)).toEqual(host.calls.map(() => 1));
        for (const [id, count] of cli.answered) expect(count, `answers to ${id}`).toBeLessThanOrEqual(1);
        expect(host.session.waitingFor).toEqual([]);
        expect(host.session.prompts.open).toEqual([]);
        expect(host.clock.size).toBe(0);
        expectNoListener(host.owner.signal);
      }),
      { seed, numRuns, interruptAfterTimeLimit: limitMs },
    );
    await nothingMoreThan(before);
  },
  4 * limitMs,
);

/** All that the CLI said is seen, in order and once; when the host ended it, up to a point and with no gap. */
function checkMessages(cli: NumberedCli, host: HostProgram): void {
  expect(host.all).toEqual(cli.said.slice(0, host.all.length));
  if (!host.endedHere) expect(host.all).toHaveLength(cli.said.length);
}

function checkTurn(cli: NumberedCli, { turn, outcome, whole, numbers, settled }: SentTurn): void {
  expect(settled).toBe(1);
  const uuid = String(turn.userMessageId);
  const said = cli.saidTo.get(uuid) ?? [];
  expect(numbers).toEqual(said.slice(0, numbers.length));
  const kind = outcome?.kind ?? 'none';
  if (kind === 'success' || kind === 'interrupted') expect(cli.finished).toContain(uuid);
  if (whole && kind === 'success') expect(numbers).toEqual(said);
  if (whole && kind === 'cli-ended') expect(numbers).toEqual(said);
}
