import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startCox } from '../support/cox.js';

// The emulated CLI as a program: it plays turns by its own scenario, so only requests are probed here.
const program = resolve('dist/emulator/claude-2-1-326.js');
const some = ['--cli', program, '--only', 'envelope:unknown-subtype', 'line:malformed'];

describe('coxswain probe', () => {
  test('prints a verdict per requirement on stdout, and its progress on stderr', async () => {
    const cox = startCox(['probe', ...some]);
    expect(await cox.exitCode).toBe(0);
    expect(cox.output.out).toContain(`${program}, version 2.1.326`);
    expect(cox.output.out).toMatch(/^pass {10}envelope:unknown-subtype$/m);
    expect(cox.output.out).toMatch(/^pass {10}line:malformed$/m);
    expect(cox.output.out).toMatch(/^2 pass$/m);
    expect(cox.output.err).toContain('2/2 ');
  });

  test('prints the verdicts as JSON', async () => {
    const cox = startCox(['probe', ...some, '--json']);
    expect(await cox.exitCode).toBe(0);
    expect(JSON.parse(cox.output.out)).toEqual({
      schema: 1,
      cli: program,
      version: '2.1.326',
      verdicts: [
        { id: 'envelope:unknown-subtype', verdict: 'pass' },
        { id: 'line:malformed', verdict: 'pass' },
      ],
    });
  });

  test('prints the verdicts as a page', async () => {
    const cox = startCox(['probe', ...some, '--markdown']);
    expect(await cox.exitCode).toBe(0);
    expect(cox.output.out).toContain('| `line:malformed` |');
  });

  test('exits with 10 and names requirements that should pass but do not', async () => {
    // The default scenario does not know what the probes make the model do.
    const cox = startCox(['probe', '--cli', program, '--only', 'permission:changed-input']);
    expect(await cox.exitCode).toBe(10);
    expect(cox.output.out).toContain('permission:changed-input: pass is known, now fail');
  });

  test('refuses a requirement that does not exist', async () => {
    const cox = startCox(['probe', '--only', 'nonsense']);
    expect(await cox.exitCode).toBe(2);
    expect(cox.output.err).toContain('--only nonsense: there is no such requirement');
  });

  test('refuses two formats', async () => {
    expect(await startCox(['probe', '--json', '--markdown']).exitCode).toBe(2);
  });

  test('exits with 7 if there is no CLI', async () => {
    expect(await startCox(['probe', '--cli', '/nowhere/claude']).exitCode).toBe(7);
  });

  test('exits with 130 if it is interrupted', async () => {
    const cox = startCox(['probe', '--cli', program], {
      onSignal: (listener) => {
        queueMicrotask(() => listener('SIGINT'));
        return () => {};
      },
    });
    expect(await cox.exitCode).toBe(130);
    expect(cox.output.out).toBe('');
  });
});
