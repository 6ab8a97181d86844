import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expectNoListener, holdings, kill, nothingMoreThan } from './leftovers.js';
import { plan, processPlan } from './random/arbitraries.js';
import { HostProgram, type SentTurn } from './random/host-program.js';
import { ScriptedSession, usePrivateFolder } from './scripted-session.js';
import { outcomeInWords, readToTheEnd, settledAs } from './seen.js';

usePrivateFolder();

const { COXSWAIN_SEED, COXSWAIN_RUNS } = process.env;
const seed = Number(COXSWAIN_SEED ?? Math.floor(Math.random() * 2 ** 31));
const numRuns = Number(COXSWAIN_RUNS ?? 1_000);
/** However slow the machine is, the run ends, unless a number of runs was requested. */
const limitMs = COXSWAIN_RUNS === undefined ? 15_000 : 3_600_000;

test(
  `random faults during turns keep every guarantee (COXSWAIN_SEED=${seed})`,
  async () => {
    const before = holdings();
    await fc.assert(
      fc.asyncProperty(plan, async ({ host: acts, ...rest }) => {
        const host = new HostProgram(rest);
        await host.run(acts);
        checkMessages(host);
        for (const sent of host.turns) checkTurn(host, sent);
        expect(host.calls.map(({ settled }) => settled)).toEqual(host.calls.map(() => 1));
        for (const { answered } of host.clis)
          for (const [id, count] of answered) expect(count, `answers to ${id}`).toBeLessThanOrEqual(1);
        expect(host.session.waitingFor).toEqual([]);
        expect(host.session.prompts.open).toEqual([]);
        expect(host.clock.size).toBe(0);
        expectNoListener(host.owner.signal);
      }),
      { seed, numRuns, interruptAfterTimeLimit: limitMs, timeout: 20_000 },
    );
    await nothingMoreThan(before);
  },
  4 * limitMs,
);

/**
 * Everything that a CLI sent is seen, in order and once; if the host ended it, up to a point and without a gap. No user
 * message is sent twice, not even to two CLIs.
 */
function checkMessages({ all, clis, endedHere }: HostProgram): void {
  const said = clis[0]?.said ?? [];
  expect(all).toEqual(said.slice(0, all.length));
  if (!endedHere && clis.length === 1) expect(all).toHaveLength(said.length);
  const received = clis.flatMap((cli) => cli.received);
  expect(received).toEqual([...new Set(received)]);
}

function checkTurn({ clis }: HostProgram, { turn, outcome, whole, numbers, settled }: SentTurn): void {
  expect(settled).toBe(1);
  const uuid = String(turn.userMessageId);
  const said = clis.flatMap(({ saidTo }) => saidTo.get(uuid) ?? []);
  expect(numbers).toEqual(said.slice(0, numbers.length));
  const kind = outcome?.kind ?? 'none';
  if (kind === 'success' || kind === 'interrupted')
    expect(clis.some(({ finished }) => finished.has(uuid))).toBe(true);
  if (whole && kind === 'success') expect(numbers).toEqual(said);
  if (whole && kind === 'cli-ended') expect(numbers).toEqual(said);
}

test(
  `processes with random faults leave nothing running (COXSWAIN_SEED=${seed})`,
  async () => {
    await fc.assert(
      fc.asyncProperty(processPlan, async ({ fault, end }) => {
        using scripted = new ScriptedSession(fault);
        const { session } = scripted;
        const turn = session.send('go');
        const reader = readToTheEnd(turn);
        const call = settledAs(session.control('mcp_status'));
        await Promise.race([turn.outcome, new Promise((resolve) => setTimeout(resolve, end.afterMs))]);
        if (end.how === 'abort') scripted.owner.abort();
        if (end.how === 'interrupt') void session.interrupt().catch(() => {});
        if (end.how === 'kill' && session.pid !== undefined) kill(session.pid);
        await scripted.leaveNothing();
        expect(`${outcomeInWords(await turn.outcome)}; ${await reader}; ${await call}`).toMatch(SETTLED);
        expect(session.waitingFor).toEqual([]);
      }),
      { seed, numRuns: Math.ceil(numRuns / 40), interruptAfterTimeLimit: limitMs, timeout: 20_000 },
    );
  },
  4 * limitMs,
);

/** How a turn, its reader and a call can end if the CLI has a fault or its owner ends it. */
const SETTLED =
  /^(success: done|interrupted|aborted|error|closed|cli-ended: (CLI|HANDSHAKE)_ENDED.*); (ends|.*_ENDED.*); (done|.*_ENDED.*)$/;
