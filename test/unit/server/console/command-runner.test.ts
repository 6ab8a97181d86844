import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { resultValue } from '../../../../src/server/console/commands/command-result.js';
import { CommandRunner } from '../../../../src/server/console/commands/command-runner.js';
import { AuditLog } from '../../../../src/server/console/keys/audit-log.js';
import { CoxswainError } from '../../../../src/wire/util/errors.js';

const by = { client: 'one', name: 'test', kind: 'program', role: 'owner', key: 'key' } as const;

test('a repeated command runs once, and everyone gets the same frozen value', async () => {
  const own = { uuid: 'u', nested: [{ deep: 1 }] };
  const { runner, ran } = runnerOf(() => own);
  const [one, other] = await Promise.all([rename(runner, 'a'), rename(runner, 'a')]);
  expect(await rename(runner, 'a')).toBe(one);
  expect(other).toBe(one);
  expect(ran).toEqual(['rename']);
  const value = resultValue(one) as typeof own;
  expect(value).toEqual(own);
  expect(() => value.nested.push({ deep: 2 })).toThrow(TypeError);
  expect(() => Object.assign(value.nested[0] ?? {}, { deep: 2 })).toThrow(TypeError);
  // What the command itself keeps can still change, and nobody sees it.
  own.nested.push({ deep: 3 });
  expect(value.nested).toEqual([{ deep: 1 }]);
});

test('a command that only reads runs each time', async () => {
  const { runner, ran } = runnerOf(() => ({ folders: [] }));
  const list = () => runner.run({ id: 'a', name: 'folders', session: undefined, params: {} }, by);
  expect(await list()).toEqual({ ok: true, value: { folders: [] } });
  await list();
  expect(ran).toEqual(['folders', 'folders']);
});

test('a failed command is remembered with its error', async () => {
  const { runner, ran } = runnerOf(() => {
    throw new Error('It is broken.');
  });
  const result = await rename(runner, 'a');
  expect(await rename(runner, 'a')).toBe(result);
  expect(result).toEqual({ ok: false, error: { code: 'COMMAND_INVALID', message: 'It is broken.' } });
  expect(Object.isFrozen(result)).toBe(true);
  expect(() => resultValue(result)).toThrow('It is broken.');
  expect(ran).toEqual(['rename']);
});

test('a command of which nobody can tell whether it ran is asked again under its id', async () => {
  const answers = [new CoxswainError('FLEET_UNANSWERED', 'Nobody can tell yet.'), { uuid: 'u' }];
  const { runner, ran } = runnerOf(() => {
    const answer = answers[ran.length - 1];
    if (answer instanceof Error) throw answer;
    return answer;
  });
  const [one, other] = await Promise.all([rename(runner, 'a'), rename(runner, 'a')]);
  expect(one).toMatchObject({ ok: false, error: { code: 'FLEET_UNANSWERED' } });
  expect(other).toBe(one);
  expect(await rename(runner, 'a')).toEqual({ ok: true, value: { uuid: 'u' } });
  expect(await rename(runner, 'a')).toEqual({ ok: true, value: { uuid: 'u' } });
  expect(ran).toEqual(['rename', 'rename']);
});

test('a value that is nested too deeply to be copied is an error, not a crash', async () => {
  let deep: unknown[] = [];
  for (let depth = 0; depth < 200_000; depth += 1) deep = [deep];
  const { runner } = runnerOf(() => deep);
  expect(await rename(runner, 'a')).toMatchObject({ ok: false });
});

test('large values are forgotten, the oldest first', async () => {
  const { runner, ran } = runnerOf(() => Array.from({ length: 80_000 }, () => ({})));
  // Each takes a third of what is kept, although its JSON is short.
  for (const id of ['a', 'b', 'c', 'c', 'a']) await rename(runner, id);
  expect(ran).toHaveLength(4);
});

function rename(runner: CommandRunner, id: string) {
  return runner.run({ id, name: 'rename', session: 's', params: { title: 'A title' } }, by);
}

/** A runner whose commands return what `value` says, and the names of those that ran. */
function runnerOf(value: () => unknown) {
  const folder = mkdtempSync(join(tmpdir(), 'coxswain-runner-'));
  const audit = new AuditLog(join(folder, 'audit.jsonl'), () => 0);
  onTestFinished(async () => {
    await audit.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const ran: string[] = [];
  const runner = new CommandRunner({
    sessions: {
      all: [],
      known: () => undefined,
      find: () => Promise.reject(new Error('There are none.')),
      close: async () => {},
    },
    audit,
    allowBypass: false,
    run: async ({ name }) => {
      ran.push(name);
      return value();
    },
  });
  return { runner, ran };
}
