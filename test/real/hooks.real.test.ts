import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { HookMatcher } from '../../src/host/session/hooks/hook-types.js';
import { text, toolUse } from '../../src/lab/testing/model/replies.js';
import { describeInstalledClis } from './support/each-real-cli.js';
import { type RealPlace, realPlace } from './support/real-session.js';

type PreToolUse = HookMatcher<'PreToolUse'>;

/** Lets the model run a command in a separate turn. */
async function run(
  { model }: RealPlace,
  send: (text: string) => { text(): Promise<string> },
  command: string,
) {
  model.play([
    { when: 'go', reply: toolUse('Bash', { command }) },
    { when: { toolResult: /[\s\S]*/ }, reply: text('done') },
  ]);
  await send('go').text();
}

/** A hook that allows the command with an addition. */
function adding(more: string, matcher?: string): PreToolUse {
  return {
    matcher,
    run: ({ tool_input: input }) => ({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'allow',
        updatedInput: { command: `${(input as { command: string }).command}${more}` },
      },
    }),
  };
}

describeInstalledClis('several hooks of one event on CLI $version', (cli) => {
  test('change the input one after the other, whatever their matchers', async () => {
    await using place = await realPlace(cli);
    const seen: unknown[] = [];
    const looking: PreToolUse = { run: ({ tool_input: input }) => void seen.push(input) as never };
    await using session = await place.open({
      hooks: { PreToolUse: [adding(' two', 'Bash'), looking, adding(' three', 'B.sh'), looking] },
    });
    await run(place, (words) => session.send(words), 'touch one');
    expect(['one', 'two', 'three'].map((file) => existsSync(join(place.folders.cwd, file)))).toEqual([
      true,
      true,
      true,
    ]);
    expect(seen).toMatchObject([{ command: 'touch one two' }, { command: 'touch one two three' }]);
  });

  test('deny if one of them does, and only matching ones run', async () => {
    await using place = await realPlace(cli);
    const ran: string[] = [];
    const noting = (name: string, matcher: string): PreToolUse => ({
      matcher,
      run: () => void ran.push(name) as never,
    });
    const deny: PreToolUse = {
      matcher: 'Bash',
      run: () => ({ decision: 'block', reason: 'house rule' }),
    };
    await using session = await place.open({
      hooks: {
        PreToolUse: [noting('edit', 'Edit|Write'), deny, adding(' two'), noting('bash', 'Ba.*')],
      },
    });
    await run(place, (words) => session.send(words), 'touch one');
    expect(existsSync(join(place.folders.cwd, 'one'))).toBe(false);
    expect(place.model.lastRequest()?.toolResults.at(-1)?.text).toContain('house rule');
    expect(ran).toEqual(['bash']);
  });

  test('have separate time limits', async () => {
    await using place = await realPlace(cli);
    const never = () => new Promise<undefined>(() => {});
    await using session = await place.open({
      hooks: {
        PreToolUse: [
          { run: never, timeoutMs: 1000, onFailure: 'continue' },
          { run: never, timeoutMs: 1000, onFailure: 'continue' },
          adding(' two'),
        ],
      },
    });
    await run(place, (words) => session.send(words), 'touch one');
    expect(existsSync(join(place.folders.cwd, 'two'))).toBe(true);
  });
});
