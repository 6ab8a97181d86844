import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { EMULATED_CLI, startCoxTerminal, terminalProblem, type Watched } from '../support/cox-process.js';

const problem = terminalProblem();

/** A test in a pseudo terminal; if none is available, it is skipped with a reason. */
function terminalTest(name: string, body: () => Promise<void>): void {
  test(name, async ({ skip }) => {
    if (problem !== undefined) skip(problem);
    await body();
  });
}

const run = (scenario: string, args: readonly string[] = []) =>
  startCoxTerminal(['run', '--cli', EMULATED_CLI, ...args, 'do it'], { scenario });

/** What a person sees at the end: without colours and overwritten text. */
function shown({ out }: Watched): string {
  const lines = out.replaceAll('\r\n', '\n').split('\n');
  return lines.map((line) => stripVTControlCharacters(line.split('\u001b[2K').at(-1) ?? '')).join('\n');
}

describe('the demo', () => {
  terminalTest('asks the person, who answers with a letter and a number', async () => {
    const cox = startCoxTerminal(['demo']);
    await cox.until('your choice (a/a1/d): ');
    cox.type('a1\n');
    await cox.until('number or your own words: ');
    cox.type('2\n');
    expect(await cox.exited).toBe(0);
    const text = shown(cox);
    expect(text).toContain('ready, version 2.1.326');
    expect(text).toContain('2) [a1] allow, and remember: Allow Bash(ls:*) for the rest of this session.');
    expect(text).toContain('Green it is.');
    expect(text.match(/Permission:/g)).toHaveLength(1);
    expect(text).toContain('That was the demo.');
  });

  terminalTest('asks nothing with --no-input', async () => {
    const cox = startCoxTerminal(['demo', '--no-input', '--cli-version', '2.0.73']);
    expect(await cox.exited).toBe(0);
    expect(shown(cox)).toContain('Using the default, because --no-input is set: Red');
  });
});

describe('a permission', () => {
  terminalTest('is denied with a reason, which the model gets', async () => {
    const cox = run('permission', ['--json']);
    await cox.until('your choice (a/a1/d): ');
    cox.type('d not in this house\n');
    expect(await cox.exited).toBe(5);
    expect(cox.out).toMatch(/"type":"tool_result"[^\n]*not in this house/);
  });

  terminalTest('is shown after the text that led to it', async () => {
    const cox = run('permission');
    await cox.until('your choice (a/a1/d): ');
    cox.type('d\n');
    expect(await cox.exited).toBe(5);
    const text = shown(cox);
    expect(text.indexOf('May I?')).toBeLessThan(text.indexOf('Permission: Bash'));
    expect(text.indexOf('Permission: Bash')).toBeLessThan(text.indexOf('That was it.'));
  });

  terminalTest('a remembered choice prevents the next prompt', async () => {
    const cox = run('twice');
    await cox.until('your choice (a/a1/d): ');
    cox.type('a1\n');
    expect(await cox.exited).toBe(0);
    expect(shown(cox).match(/Permission:/g)).toHaveLength(1);
  });

  terminalTest('allowed once prompts again; input that is not understood is not an answer', async () => {
    const cox = run('twice');
    await cox.until('your choice (a/a1/d): ');
    cox.type('\n');
    await cox.until('your choice (a/a1/d): ');
    cox.type('1\n');
    await cox.until('your choice (a/a1/d): ');
    cox.type('a\n');
    expect(await cox.exited).toBe(0);
    expect(shown(cox)).toContain('Please type one of a/a1/d, or a number.');
    expect(shown(cox).match(/Permission:/g)).toHaveLength(2);
  });

  terminalTest('disappears when Ctrl-C interrupts the turn', async () => {
    const cox = run('permission');
    await cox.until('your choice (a/a1/d): ');
    cox.type('\u0003');
    expect(await cox.exited).toBe(130);
    expect(shown(cox)).toContain('(withdrawn: no answer needed)');
  });

  terminalTest('is denied when the input ends', async () => {
    const cox = run('permission');
    await cox.until('your choice (a/a1/d): ');
    cox.type('\u0004');
    expect(await cox.exited).toBe(5);
    expect(shown(cox)).toContain('Input closed: denied.');
  });
});

describe('a question', () => {
  terminalTest('accepts free text, after an invalid number', async () => {
    const cox = run('question', ['--json']);
    await cox.until('number or your own words: ');
    cox.type('7\n');
    await cox.until('There is no option 7: choose 1 to 3.');
    await cox.until('number or your own words: ');
    cox.type('Violet, of course\n');
    expect(await cox.exited).toBe(0);
    expect(cox.out).toContain('Violet, of course');
  });

  terminalTest('accepts several numbers if several may be chosen', async () => {
    const cox = run('questions', ['--json']);
    await cox.until('numbers (1,3) or your own words: ');
    cox.type('3, 1\n');
    expect(await cox.exited).toBe(0);
    expect(cox.out).toContain('Blue, Red');
  });
});

terminalTest(
  'while a turn runs, one line shows the time, the tokens and the cost, and disappears without a trace',
  async () => {
    const cox = run('hang');
    await cox.until(' tokens · $?');
    cox.type('\u0003');
    expect(await cox.exited).toBe(130);
    expect(shown(cox)).not.toContain('tokens · $?');
  },
);
