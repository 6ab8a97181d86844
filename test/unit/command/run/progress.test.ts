import { describe, expect, test } from 'vitest';
import { Progress, type ProgressFacts } from '../../../../src/command/run/progress.js';
import { ManualClock } from '../../../support/manual-clock.js';
import { recordedScreen } from '../../../support/recorded-screen.js';

function setUp({ live, quiet = false }: { readonly live: boolean; readonly quiet?: boolean }) {
  const clock = new ManualClock();
  const { screen, written } = recordedScreen({ outIsTty: live, errIsTty: live });
  const facts: { -readonly [Key in keyof ProgressFacts]: ProgressFacts[Key] } = {
    tokens: 0,
    costUsd: undefined,
    tool: undefined,
    waitingFor: 'the model',
  };
  const progress = new Progress({ screen, clock, quiet, facts: () => facts });
  /** The last drawn line. */
  const line = () => written.err.split('\r\u001b[2K').at(-1);
  return { clock, written, facts, progress, line, screen };
}

describe('on a terminal', () => {
  test('a line shows the time, the tokens, the cost and the tool', () => {
    const { clock, facts, line } = setUp({ live: true });
    clock.advance(2_000);
    expect(line()).toMatch(/^. 1 s · 0 tokens · \$\?$/);
    Object.assign(facts, { tokens: 1_234, costUsd: 0.0042, tool: 'Bash: ls' });
    clock.advance(1_200);
    expect(line()).toMatch(/^. 3 s · 1\.2k tokens · \$0\.0042 · Bash: ls$/);
  });

  test('after 10 s without output it says what it is waiting for', () => {
    const { clock, facts, line, progress } = setUp({ live: true });
    facts.tool = 'Bash: sleep 100';
    facts.waitingFor = 'Bash: sleep 100';
    clock.advance(9_900);
    expect(line()).not.toContain('waiting');
    clock.advance(200);
    expect(line()).toContain('waiting for Bash: sleep 100');
    progress.noteActivity();
    clock.advance(200);
    expect(line()).not.toContain('waiting');
  });

  test('is hidden while a line of the answer is unfinished', () => {
    const { clock, written, screen } = setUp({ live: true });
    screen.out('half a sentence');
    clock.advance(5_000);
    expect(written.err).toBe('');
    clock.advance(6_000);
    expect(written.err).toMatch(/^\n.*waiting for the model$/s);
  });

  test('is removed at the end, and no timer is left', () => {
    const { clock, progress, line } = setUp({ live: true });
    clock.advance(1_000);
    progress.stop();
    expect(line()).toBe('');
    expect(clock.size).toBe(0);
  });
});

describe('in a log', () => {
  test('nothing is printed while there is output, then sentences with growing delays', () => {
    const { clock, written, progress } = setUp({ live: false });
    clock.advance(9_000);
    progress.noteActivity();
    clock.advance(9_000);
    expect(written.err).toBe('');
    clock.advance(60_000);
    expect(written.err.trimEnd().split('\n')).toEqual([
      'Waiting for the model, 10 s without output.',
      'Waiting for the model, 20 s without output.',
      'Waiting for the model, 40 s without output.',
    ]);
  });

  test('nothing is printed while a person is being asked', () => {
    const { clock, written, facts } = setUp({ live: false });
    facts.waitingFor = undefined;
    clock.advance(60_000);
    facts.waitingFor = 'the model';
    clock.advance(9_000);
    expect(written.err).toBe('');
  });
});

test('--quiet prints nothing and sets no timer', () => {
  const { clock, written } = setUp({ live: true, quiet: true });
  expect(clock.size).toBe(0);
  clock.advance(60_000);
  expect(written.err).toBe('');
});
