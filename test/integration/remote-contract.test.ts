import { describe, expect, test } from 'vitest';
import { mcpServer } from '../../src/host/mcp/mcp-server.js';
import { tool } from '../../src/host/mcp/tool.js';
import { onRequest, onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { refuse } from '../../src/lab/testing/emulator/steps/answer-steps.js';
import { mcpTool } from '../../src/lab/testing/emulator/steps/asking-steps.js';
import { flood, hugeLine } from '../../src/lab/testing/emulator/steps/fault-steps.js';
import { die, hang } from '../../src/lab/testing/emulator/steps/life-steps.js';
import { fail } from '../../src/lab/testing/emulator/steps/result-steps.js';
import { say, send } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { askQuestion, question, useTool } from '../../src/lab/testing/emulator/steps/tool-steps.js';
import { openLocal, openRemote } from '../support/session-places.js';
import { settle } from '../support/settle.js';
import { testedVersions } from '../support/tested-versions.js';

const COLOURS = question('Which colour?', ['Red', 'Green'], { header: 'Colour' });
const places = [
  ['local', openLocal],
  ['remote', openRemote],
] as const;
const cases = places.flatMap(([place, open]) =>
  testedVersions.map((version): [string, string, typeof open] => [place, version, open]),
);

// The guarantees of a session, wherever its CLI is.
describe.each(cases)('a %s session on CLI %s', (_place, version, open) => {
  test('knows its CLI and runs a conversation', async () => {
    const { session, clis } = await open(
      [onUser('one', [say('First.')]), onUser('two', [say('Second.')])],
      {},
      { version },
    );
    await session.ready;
    expect(session.version).toBe(version);
    expect(await session.send('one').text()).toBe('First.');
    const turn = session.send('two');
    const types: unknown[] = [];
    for await (const { type } of turn) types.push(type);
    expect(types).toContain('assistant');
    expect(types.at(-1)).toBe('result');
    expect(await turn.outcome).toMatchObject({ kind: 'success', text: 'Second.' });
    expect(session.usage.costUsd).toBeGreaterThan(0);
    clis[0]?.assertFinished();
  });

  test('calls its callbacks, and they decide', async () => {
    const scenario = [
      onUser([
        useTool('Bash', { command: 'ls' }, { ask: true, result: 'files', expect: { behavior: 'allow' } }),
        useTool('Bash', { command: 'rm' }, { ask: true, expect: { behavior: 'deny', message: 'not that' } }),
        askQuestion(COLOURS, { expect: { updatedInput: { answers: { 'Which colour?': 'Green' } } } }),
        say('Done.'),
      ]),
    ];
    const options = {
      onPermission: (prompt: {
        input: { command?: unknown };
        allow: () => never;
        deny: (why: string) => never;
      }) => (prompt.input.command === 'ls' ? prompt.allow() : prompt.deny('not that')),
      onQuestion: (form: { answer: (answers: object) => never }) => form.answer({ 'Which colour?': 'Green' }),
    };
    const { session, clis } = await open(scenario, options as never, { version });
    expect(await session.send('go').text()).toBe('Done.');
    clis[0]?.assertFinished();
  });

  test('refuses prompts without a callback', async () => {
    const scenario = [
      onUser([useTool('Bash', { command: 'ls' }, { ask: true, expect: { behavior: 'deny' } }), say('No.')]),
    ];
    const { session, clis } = await open(scenario, { onQuestion: (form) => form.decline() }, { version });
    expect(await session.send('go').text()).toBe('No.');
    clis[0]?.assertFinished();
  });

  test('leaves prompts open for answers by id', async () => {
    const scenario = [onUser([useTool('Bash', { command: 'ls' }, { ask: true, result: 'x' }), say('Done.')])];
    const { session } = await open(scenario, { prompts: 'manual' }, { version });
    const opened = new Promise<string>((resolve) => {
      session.on('prompt', ({ prompt, state }) => state === 'open' && resolve(prompt.id));
    });
    const turn = session.send('go');
    const prompt = session.prompts.find(await opened);
    if (prompt?.kind !== 'permission') throw new Error('not a permission');
    expect(prompt.allow()).toMatchObject({ accepted: true });
    expect(await turn.text()).toBe('Done.');
  });

  test('runs its hooks, and a hook can block', async () => {
    const seen: unknown[] = [];
    const hooks = {
      PreToolUse: [
        {
          matcher: 'Bash',
          run: (input: { tool_input?: unknown }) => {
            seen.push(input.tool_input);
            const denied = {
              permissionDecision: 'deny' as const,
              permissionDecisionReason: 'blocked by a hook',
            };
            return { hookSpecificOutput: { hookEventName: 'PreToolUse' as const, ...denied } };
          },
        },
      ],
    };
    const scenario = [onUser([useTool('Bash', { command: 'ls' }, { result: 'never' }), say('Done.')])];
    const { session } = await open(scenario, { hooks } as never, { version });
    const turn = session.send('go');
    const texts: string[] = [];
    for await (const message of turn) texts.push(JSON.stringify(message));
    expect(seen).toEqual([{ command: 'ls' }]);
    expect(texts.join()).toContain('blocked by a hook');
    expect(await turn.text()).toBe('Done.');
  });

  test('serves tools from this process', async () => {
    const add = tool({
      name: 'add',
      description: 'Adds.',
      input: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } },
      run: ({ a, b }: { a?: unknown; b?: unknown }) => String(Number(a) + Number(b)),
    });
    const scenario = [onUser([mcpTool('sums', 'add', { a: 2, b: 3 }), say('Done.')])];
    const { session } = await open(scenario, { mcpServers: { sums: mcpServer('sums', [add]) } }, { version });
    const turn = session.send('go');
    const texts: string[] = [];
    for await (const message of turn) texts.push(JSON.stringify(message));
    expect(await turn.text()).toBe('Done.');
    expect(texts.join()).toContain('"5"');
  });

  test('controls the CLI, and passes on its refusals unchanged', async () => {
    const scenario = [onRequest('set_model', [refuse('No such model.')], { match: { model: 'nothing' } })];
    const { session } = await open(scenario, {}, { version });
    await session.setPermissionMode('plan');
    await expect(session.setModel('nothing')).rejects.toMatchObject({
      code: 'REQUEST_REFUSED',
      reason: 'No such model.',
    });
    const { mcpServers } = await session.mcp.status();
    expect(mcpServers).toEqual([]);
  });

  test('abandons a request when its caller does, and tells newer CLIs', async () => {
    const { session, clis } = await open([onRequest('set_model', [hang()])], {}, { version });
    await session.ready;
    const controller = new AbortController();
    const asked = session.setModel('slow', { signal: controller.signal });
    await expect
      .poll(() => clis[0]?.received.some(({ request }) => JSON.stringify(request).includes('slow')))
      .toBe(true);
    controller.abort();
    await expect(asked).rejects.toMatchObject({ code: 'REQUEST_ABORTED' });
    if (version !== '2.1.326') return;
    await expect.poll(() => clis[0]?.received.at(-1)?.type).toBe('control_cancel_request');
  });

  test('adds an in-process server while it runs', async () => {
    const hello = tool({
      name: 'hello',
      description: 'Greets.',
      input: { type: 'object', properties: {} },
      run: () => 'Hello from here.',
    });
    const scenario = [onUser([mcpTool('late', 'hello', {}), say('Done.')])];
    const { session } = await open(scenario, {}, { version });
    const added = session.mcp.add({ late: mcpServer('late', [hello]) });
    if (version === '2.0.73') {
      await expect(added).rejects.toMatchObject({ code: 'ENDPOINT_UNSUPPORTED' });
      return;
    }
    await added;
    const texts: string[] = [];
    for await (const message of session.send('go')) texts.push(JSON.stringify(message));
    expect(texts.join()).toContain('Hello from here.');
  });

  test('interrupts a turn and continues', async () => {
    const { session } = await open([onUser([say('…'), hang()]), onUser([say('Here.')])], {}, { version });
    const turn = session.send('work');
    await turn.began;
    await session.interrupt();
    expect(await turn.outcome).toMatchObject({ kind: 'interrupted' });
    expect(await session.send('still there?').text()).toBe('Here.');
  });

  test('keeps messages in order, several of them at once', async () => {
    const scenario = [onUser(undefined, (text) => [say(`re: ${text}`)], { times: 'any' })];
    const { session } = await open(scenario, {}, { version });
    const turns = ['a', 'b', 'c'].map((text) => session.send(text));
    const outcomes = await Promise.all(turns.map(({ outcome }) => outcome));
    expect(outcomes.map(({ kind }) => kind)).toEqual(['success', 'success', 'success']);
  });

  test('passes on unknown messages unchanged, and many of them', async () => {
    const strange = { type: 'from_the_future', deep: { é: '\u2028', n: 12 } };
    const { session } = await open([onUser([send(strange), flood(500), say('End.')])], {}, { version });
    const turn = session.send('go');
    const seen: unknown[] = [];
    for await (const message of turn) seen.push(message);
    expect(seen).toContainEqual(expect.objectContaining(strange));
    expect(seen.length).toBeGreaterThan(500);
    expect(await turn.text()).toBe('End.');
  });

  test('passes on a very long line', async () => {
    const { session } = await open([onUser([hugeLine(5_000_000), say('End.')])], {}, { version });
    let longest = 0;
    const turn = session.send('go');
    for await (const message of turn) longest = Math.max(longest, JSON.stringify(message).length);
    expect(longest).toBeGreaterThan(4_900_000);
    expect(await turn.text()).toBe('End.');
  });

  test('waits for a slow reader, and closes while it is behind', async () => {
    const buffer = { messages: 5, characters: 20_000 };
    const scenario = [onUser([flood(300, 2_000), say('End.')]), onUser([flood(300, 2_000), say('End.')])];
    const { session } = await open(scenario, { buffer }, { version });
    const slow = session.send('one');
    let count = 0;
    for await (const _message of slow) {
      count += 1;
      if (count % 50 === 0) await settle();
    }
    expect(count).toBeGreaterThan(300);
    expect(slow.dropped).toBe(0);
    const left = session.send('two')[Symbol.asyncIterator]();
    await left.next();
    await session.close();
    expect(session.state).toBe('ended');
  });

  test('reports how a turn failed', async () => {
    const { session } = await open([onUser([fail()])], {}, { version });
    expect(await session.send('go').outcome).toMatchObject({ kind: 'error' });
  });

  test('reports how the CLI died, and can be reopened', async () => {
    const lives = [[onUser('die', [die({ code: 3 })])], [onUser('live', [say('Again.')])]];
    const { session } = await open(() => lives.shift() ?? [], {}, { version });
    const outcome = await session.send('die').outcome;
    expect(outcome).toMatchObject({ kind: 'cli-ended', error: { code: 'CLI_ENDED' } });
    expect(JSON.stringify(outcome)).toContain('3');
    expect(session.state).toBe('ended');
    expect(() => session.send('more')).toThrow(expect.objectContaining({ code: 'SESSION_ENDED' }));
    await session.reopen();
    expect(await session.send('live').text()).toBe('Again.');
  });

  test('fails to open with the reason, and can be closed twice', async () => {
    const { session } = await open([onRequest('initialize', [refuse('Not today.')])], {}, { version });
    await expect(session.ready).rejects.toMatchObject({ code: 'HANDSHAKE_REFUSED' });
    await session.close();
    await session.close();
    expect(session.state).toBe('ended');
  });

  test('closes while a turn runs', async () => {
    const { session, clis } = await open([onUser([say('…'), hang()])], {}, { version });
    const turn = session.send('work');
    await turn.began;
    await session.close();
    expect(await turn.outcome).toEqual({ kind: 'closed' });
    await clis[0]?.transport.ended;
  });
});
