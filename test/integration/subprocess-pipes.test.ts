import { afterEach, describe, expect, test } from 'vitest';
import { type CliTransport, launchCli } from '../../src/host/cli/launch-cli.js';
import type { CliOptions } from '../../src/host/cli/options/cli-options.js';
import type { Diagnostic } from '../../src/wire/util/diagnostics.js';
import { CoxswainError } from '../../src/wire/util/errors.js';
import { eventually } from '../support/eventually.js';
import { fixture, isRunning, Listener, patient, soon, stillRunning } from './process-helpers.js';

const open: CliTransport[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((transport) => transport.close()));
});

async function launch(name: string, options: CliOptions = {}): Promise<CliTransport> {
  const transport = await launchCli({ cli: fixture(name), ending: soon, ...options });
  open.push(transport);
  return transport;
}

const codeOf = (sending: Promise<void>) =>
  sending.then(
    () => 'sent',
    (error: unknown) => (error instanceof CoxswainError ? error.code : String(error)),
  );

describe('the exit of a CLI', () => {
  test('is reported at once, with the code, stderr and the last line', async () => {
    const transport = await launch('dies-at-once');
    const listener = new Listener(transport);
    expect(await transport.ended).toEqual({
      reason: 'exited',
      code: 3,
      signal: null,
      stderrTail: 'bad flag: ü\n',
    });
    expect(listener.lines).toEqual(['{"half":1}', '{"last":true}']);
    expect(await transport.exit).toEqual({ code: 3, signal: null, step: 'none' });
    expect(transport.stderrTail()).toBe('bad flag: ü\n');
  });

  test('is reported with the signal that caused it', async () => {
    const transport = await launch('never-reads');
    await new Listener(transport).count(1);
    process.kill(transport.pid, 'SIGKILL');
    expect(await transport.ended).toMatchObject({ reason: 'exited', code: null, signal: 'SIGKILL' });
  });

  test('loses no lines that nobody has read yet', async () => {
    const transport = await launch('dies-at-once');
    await transport.exit;
    const listener = new Listener(transport);
    await transport.ended;
    expect(listener.lines).toHaveLength(2);
  });

  test('is reported even if nobody ever reads', async () => {
    const transport = await launch('dies-at-once');
    expect(await transport.ended).toMatchObject({ reason: 'exited', code: 3 });
  });

  test('loses no lines while the reader is paused', async () => {
    const transport = await launch('leaves-a-holder');
    const listener = new Listener(transport);
    transport.pause();
    await transport.ended;
    expect(listener.lines).toHaveLength(1001);
  });

  test('is reported after the last line, even if a child still holds the pipes', async () => {
    const transport = await launch('leaves-a-holder');
    const listener = new Listener(transport);
    expect(await transport.ended).toMatchObject({ reason: 'exited', code: 0 });
    expect(listener.lines.at(-1)).toBe('line 999');
    const { holder } = await listener.json();
    await transport.close();
    expect(isRunning(Number(holder))).toBe(false);
  });

  test('ends leftover processes, even if nobody closes', async () => {
    const transport = await launch('leaves-a-holder');
    const { holder } = await new Listener(transport).json();
    await transport.ended;
    expect(await stillRunning([Number(holder)])).toEqual([]);
  });

  test('is forced if the CLI only closes its stdout', async () => {
    const transport = await launch('closes-stdout', { ending: { ...patient, eofMs: 10 } });
    const listener = new Listener(transport);
    expect(await transport.ended).toMatchObject({ reason: 'exited', signal: 'SIGTERM' });
    expect(listener.lines).toEqual(['last words']);
    expect(isRunning(transport.pid)).toBe(false);
  });
});

describe('writing', () => {
  test('lines reach stdin whole and in call order, whatever their size', async () => {
    const transport = await launch('speaks-lines');
    const listener = new Listener(transport);
    const lines = Array.from(
      { length: 300 },
      (_, index) => `${index} ${'ä'.repeat((index * 7919) % 50_000)}`,
    );
    await Promise.all(lines.map((line) => transport.send(line)));
    expect(await listener.count(lines.length)).toEqual(lines);
  });

  test('a CLI that reads nothing cannot grow our memory, and no send hangs after the end', async () => {
    const transport = await launch('never-reads', { maxUnsentBytes: 4 * 1024 * 1024 });
    await new Listener(transport).count(1);
    const megabyte = 'x'.repeat(1024 * 1024);
    const sends = Array.from({ length: 200 }, () => codeOf(transport.send(megabyte)));
    const refused = await Promise.all(sends.slice(20));
    expect(new Set(refused)).toEqual(new Set(['SEND_OVERFLOW']));
    await transport.close();
    expect(new Set(await Promise.all(sends))).toEqual(new Set(['TRANSPORT_CLOSED', 'SEND_OVERFLOW']));
    expect(await codeOf(transport.send('late'))).toBe('TRANSPORT_CLOSED');
  });

  test('a CLI that is gone refuses lines and crashes nobody', async () => {
    const problems: unknown[] = [];
    const note = (problem: unknown) => problems.push(problem);
    process.on('uncaughtException', note).on('unhandledRejection', note);
    const line = 'x'.repeat(1024 * 1024);
    const attempt = async () => {
      const transport = await launch('dies-at-once');
      transport.start(() => {});
      const outcomes = await Promise.all([1, 2, 3].map(() => codeOf(transport.send(line))));
      await transport.ended;
      expect(outcomes.every((code) => code === 'sent' || code === 'TRANSPORT_CLOSED')).toBe(true);
      expect(await codeOf(transport.send(line))).toBe('TRANSPORT_CLOSED');
    };
    await Promise.all(Array.from({ length: 20 }, attempt));
    process.off('uncaughtException', note).off('unhandledRejection', note);
    expect(problems).toEqual([]);
  });
});

describe('reading', () => {
  test('a paused reader makes the CLI wait', async () => {
    let stderr = '';
    const transport = await launch('floods-stdout', {
      onStderr: (text) => {
        stderr += text;
      },
    });
    const listener = new Listener(transport);
    await listener.count(1000);
    transport.pause();
    const written = await writtenAtRest(transport, () => stderr);
    const atRest = { written, read: listener.lines.length };
    expect(atRest.written - atRest.read).toBeLessThan(5000);
    transport.resume();
    await listener.count(atRest.read + 20_000);
    expect(listener.lines.every((line, index) => line.startsWith(`${index} `))).toBe(true);
  });

  test('a flood on stderr neither blocks the CLI nor accumulates in memory', async () => {
    const transport = await launch('floods-stderr');
    expect(await new Listener(transport).count(1)).toEqual(['done']);
    expect(transport.stderrTail().length).toBe(16 * 1024);
    expect(transport.stderrTail().endsWith('the end')).toBe(true);
  });

  test('a stderr callback that throws does no harm', async () => {
    const transport = await launch('dies-at-once', {
      onStderr: () => {
        throw new Error('mine');
      },
    });
    transport.start(() => {});
    expect(await transport.ended).toMatchObject({ reason: 'exited', code: 3, stderrTail: 'bad flag: ü\n' });
  });

  test('a line over the limit is skipped with a diagnostic, and reading continues', async () => {
    const diagnostics: Diagnostic[] = [];
    const transport = await launch('speaks-lines', {
      maxLineLength: 1000,
      onDiagnostic: (diagnostic) => {
        diagnostics.push(diagnostic);
        throw new Error('mine');
      },
    });
    const listener = new Listener(transport);
    await transport.send('x'.repeat(5000));
    await transport.send('fine');
    expect(await listener.count(1)).toEqual(['fine']);
    expect(diagnostics).toMatchObject([{ code: 'LINE_TOO_LONG', length: 5000, limit: 1000 }]);
  });
});

/** How many lines the CLI has written when it can write no more: it then says the same number twice in a row. */
async function writtenAtRest(transport: CliTransport, stderr: () => string): Promise<number> {
  const said = () => stderr().split('\n').slice(0, -1).map(Number);
  for (;;) {
    const { length } = said();
    await transport.send('how far?');
    await eventually(() => said().length > length);
    const [before, now] = said().slice(-2);
    if (now !== undefined && before === now) return now;
  }
}
