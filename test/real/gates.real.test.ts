import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { text, toolUse } from '../../src/lab/testing/model/replies.js';
import { deferred } from '../../src/wire/util/deferred.js';
import { describeRealClis, eachRealCli } from './support/each-real-cli.js';
import { realPlace } from './support/real-session.js';

const anyResult = { toolResult: /[\s\S]*/ };
const bypass = { permissionMode: 'bypassPermissions', allowDangerouslySkipPermissions: true } as const;

describeRealClis('gates fail closed', (cli) => {
  const ways = {
    throws: () => {
      throw new Error('the gate broke');
    },
    'is late': () => new Promise<undefined>(() => {}),
  };

  test.each(Object.entries(ways))('a hook before a tool that %s', async (_how, run) => {
    await using place = await realPlace(cli);
    const heard: unknown[] = [];
    await using session = await place.open({
      ...bypass,
      hooks: { PreToolUse: [{ run, timeoutMs: 2_000 }] },
      onDiagnostic: (diagnostic) => 'callback' in diagnostic && heard.push(diagnostic.callback),
    });
    place.model.play([
      { reply: toolUse('Bash', { command: 'touch passed' }) },
      { when: anyResult, reply: text('over') },
    ]);
    expect(await session.send('go').text()).toBe('over');
    expect(existsSync(join(place.folders.cwd, 'passed'))).toBe(false);
    expect(heard).toEqual(['hooks.PreToolUse']);
  });

  test('a UserPromptSubmit hook that throws: the model is never called', async () => {
    await using place = await realPlace(cli);
    await using session = await place.open({
      hooks: { UserPromptSubmit: [{ run: ways.throws }] },
      onDiagnostic: null,
    });
    place.model.play([{ reply: text('the model was asked') }]);
    const outcome = await session.send('go').outcome;
    expect(JSON.stringify(outcome)).not.toContain('the model was asked');
  });

  test('a hook with onFailure continue is skipped', async () => {
    await using place = await realPlace(cli);
    await using session = await place.open({
      ...bypass,
      hooks: { PreToolUse: [{ run: ways.throws, onFailure: 'continue' }] },
      onDiagnostic: null,
    });
    place.model.play([
      { reply: toolUse('Bash', { command: 'touch passed' }) },
      { when: anyResult, reply: text('over') },
    ]);
    await session.send('go').text();
    expect(existsSync(join(place.folders.cwd, 'passed'))).toBe(true);
  });
});

eachRealCli(
  'an allow waits for a slow PermissionRequest hook, which denies',
  async (cli) => {
    await using place = await realPlace(cli);
    const decision = { behavior: 'deny' as const, message: 'the hook says no' };
    const allowed = deferred<void>();
    await using session = await place.open({
      onPermission: (prompt) => {
        const answer = prompt.allow();
        allowed.resolve();
        return answer;
      },
      hooks: {
        PermissionRequest: [
          {
            run: async () => {
              await allowed.promise;
              return { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } };
            },
          },
        ],
      },
    });
    place.model.play([
      { reply: toolUse('Bash', { command: 'touch passed' }) },
      { when: { toolResult: /the hook says no/ }, reply: text('over') },
    ]);
    expect(await session.send('go').text()).toBe('over');
    expect(existsSync(join(place.folders.cwd, 'passed'))).toBe(false);
  },
  ['2.1.326'],
);
