import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { routes } from '../../../../src/server/console/api/routes.schemas.js';
import { checkParams } from '../../../../src/server/console/commands/command.js';
import { commands, findCommand, mayRun } from '../../../../src/server/console/commands/command-table.js';

test('a name that is in no table is no command, even if every object has it', () => {
  for (const name of ['__proto__', 'toString', 'constructor', 'nonsense']) {
    expect(findCommand(name)).toBeUndefined();
    expect(mayRun('owner', name, {})).toBe(false);
  }
});

test('watchers run nothing, and only an owner’s command can have exceptions for operators', () => {
  for (const [name, { role, operatorMay }] of Object.entries(commands)) {
    expect(mayRun('watcher', name, {}), name).toBe(false);
    expect(mayRun('owner', name, {}), name).toBe(true);
    expect(role === 'owner' || operatorMay === undefined, name).toBe(true);
  }
});

test('whatever the parameters are, a command is refused with its code or gets what it needs', () => {
  for (const [name, definition] of Object.entries(commands)) {
    const { needs = {}, takes = {} } = findCommand(name) ?? {};
    const known = Object.keys({ ...needs, ...takes });
    const field = fc.oneof(fc.constantFrom('__proto__', 'toString', ...known), fc.string());
    const params = fc.oneof(fc.dictionary(field, fc.jsonValue()), fc.jsonValue());
    const check = (value: unknown) => {
      mayRun('operator', name, value);
      try {
        checkParams(name, value, definition);
      } catch (error) {
        expect(error).toMatchObject({ code: 'COMMAND_INVALID' });
        return;
      }
      for (const key of Object.keys(needs)) expect(value).toHaveProperty([key]);
    };
    fc.assert(fc.property(params, check), { numRuns: 50 });
  }
});

test('every command is documented', () => {
  const page = readFileSync('docs/reference/console-protocol.md', 'utf8');
  expect(Object.keys(commands).filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

describe('a route that passes its request on to a command', () => {
  const passing = routes.filter(({ command, run }) => command !== undefined && run === undefined);

  test.each(passing.map((route) => [route.name, route] as const))('%s has its parameters', (_name, route) => {
    const { needs = {}, takes = {} } = findCommand(route.command ?? '') ?? {};
    const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    const sent = new Set([
      ...inPath.filter((name) => name !== 'conversation'),
      ...Object.keys(route.query?.shape ?? {}),
      ...Object.keys((route.body as { shape?: object } | undefined)?.shape ?? {}),
    ]);
    expect(Object.keys(needs).filter((name) => !sent.has(name))).toEqual([]);
    expect([...sent].filter((name) => !(name in needs) && !(name in takes))).toEqual([]);
  });

  test('is read with GET exactly if the command does not act', () => {
    for (const { name, method, command } of passing)
      expect(findCommand(command ?? '')?.acts, name).toBe(method !== 'get');
  });
});
