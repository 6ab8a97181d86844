import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { ElicitationPrompt } from '../../src/host/session/prompts/elicitation-prompt.js';
import type { PermissionPrompt } from '../../src/host/session/prompts/permission-prompt.js';
import { text, toolUse } from '../../src/lab/testing/model/replies.js';
import { describeRealClis } from './support/each-real-cli.js';
import { realPlace } from './support/real-session.js';

const touch = (file: string) => toolUse('Bash', { command: `touch ${file}` });
const anyResult = { toolResult: /[\s\S]*/ };

describeRealClis('prompts', (cli) => {
  const isNew = cli.version === '2.1.326';

  test('allow, changed input, deny, always allow: each takes effect', async () => {
    await using place = await realPlace(cli);
    const answers: ((prompt: PermissionPrompt) => unknown)[] = [
      (prompt) => prompt.allow(),
      (prompt) => prompt.allow({ input: { ...prompt.input, command: 'touch changed' } }),
      (prompt) => prompt.deny('not on my watch'),
      (prompt) =>
        prompt.allow({
          permissions: [
            { type: 'addRules', rules: [{ toolName: 'Write' }], behavior: 'allow', destination: 'session' },
          ],
        }),
    ];
    const asked: string[] = [];
    await using session = await place.open({
      onPermission: (prompt) => {
        asked.push(prompt.tool);
        return answers.shift()?.(prompt) as never;
      },
    });
    const exists = (file: string) => existsSync(join(place.folders.cwd, file));
    const run = async (call: ReturnType<typeof toolUse>) => {
      place.model.play([{ reply: call }, { when: anyResult, reply: text('ok') }]);
      return session.send('go').text();
    };
    await run(touch('plain'));
    await run(touch('original'));
    await run(touch('denied'));
    const write = (name: string) =>
      toolUse('Write', { file_path: join(place.folders.cwd, name), content: 'x' });
    await run(write('first.txt'));
    await run(write('second.txt'));
    expect(['plain', 'original', 'changed', 'denied', 'first.txt', 'second.txt'].filter(exists)).toEqual([
      'plain',
      'changed',
      'first.txt',
      'second.txt',
    ]);
    expect(asked).toEqual(['Bash', 'Bash', 'Bash', 'Write']);
    const told = place.model.model.requests.flatMap((request) =>
      request.toolResults.map((result) => result.text),
    );
    expect(told.some((result) => result.includes('not on my watch'))).toBe(true);
  });

  test('a denial with interrupt ends the turn, and the session continues', async () => {
    await using place = await realPlace(cli);
    await using session = await place.open({
      onPermission: (prompt) => prompt.deny('stop', { interrupt: true }),
    });
    place.model.play([{ reply: touch('never') }]);
    const turn = session.send('go');
    expect((await turn.outcome).kind).toBe('interrupted');
    place.model.play([{ reply: text('still here') }]);
    expect(await session.send('and now').text()).toBe('still here');
    expect(existsSync(join(place.folders.cwd, 'never'))).toBe(false);
  });

  test('questions: single choice, several choices and free text reach the model', async () => {
    await using place = await realPlace(cli);
    await using session = await place.open({
      onQuestion: (form) =>
        form.answer({ 'Which colour?': { other: 'mauve' }, 'Which sizes?': ['Small', 'Large'] }),
    });
    const option = (label: string) => ({ label, description: `${label} it is` });
    const questions = [
      {
        question: 'Which colour?',
        header: 'Colour',
        multiSelect: false,
        options: [option('Red'), option('Green')],
      },
      {
        question: 'Which sizes?',
        header: 'Size',
        multiSelect: true,
        options: [option('Small'), option('Large')],
      },
    ];
    place.model.play([
      { reply: toolUse('AskUserQuestion', { questions }) },
      { when: anyResult, reply: text('noted') },
    ]);
    expect(await session.send('ask me').text()).toBe('noted');
    const [result] = place.model.model.requests.flatMap((request) => request.toolResults);
    expect(result?.text).toContain('mauve');
    expect(result?.text).toContain('Small, Large');
  });

  test('an interrupt withdraws an open prompt: its callback is aborted and nothing runs', async () => {
    await using place = await realPlace(cli);
    const states: string[] = [];
    await using session = await place.open({ prompts: 'manual' });
    const opened = new Promise<void>((resolve) => {
      session.on('prompt', ({ state }) => {
        states.push(state);
        resolve();
      });
    });
    place.model.play([{ reply: touch('late') }]);
    const turn = session.send('go');
    await opened;
    const [prompt] = session.prompts.open;
    expect(prompt).toMatchObject({ kind: 'permission', state: 'open', tool: 'Bash' });
    await session.interrupt();
    expect((await turn.outcome).kind).toBe('interrupted');
    expect(states).toEqual(['open', 'withdrawn']);
    expect(prompt?.refuse('late')).toMatchObject({ accepted: false });
    expect(session.prompts.open).toEqual([]);
    expect(existsSync(join(place.folders.cwd, 'late'))).toBe(false);
  });

  test('a prompt is answered by its id from elsewhere', async () => {
    await using place = await realPlace(cli);
    await using session = await place.open({ prompts: 'manual' });
    session.on('prompt', ({ prompt, state }) => {
      if (state === 'open' && prompt.kind === 'permission') prompt.allow();
    });
    place.model.play([{ reply: touch('by-id') }, { when: anyResult, reply: text('ok') }]);
    await session.send('go').text();
    expect(existsSync(join(place.folders.cwd, 'by-id'))).toBe(true);
  });

  test('a PreToolUse hook blocks the call, with its answer and if it fails with the policy block', async () => {
    await using place = await realPlace(cli);
    const seen: string[] = [];
    await using session = await place.open({
      permissionMode: 'bypassPermissions',
      allowDangerouslySkipPermissions: true,
      hooks: {
        PreToolUse: [
          {
            matcher: 'Bash',
            onFailure: 'block',
            run: (input) => {
              const { command } = input.tool_input as { command: string };
              seen.push(command);
              if (command.includes('broken')) throw new Error('the hook broke');
              if (!command.includes('blocked')) return {};
              return {
                hookSpecificOutput: {
                  hookEventName: 'PreToolUse',
                  permissionDecision: 'deny',
                  permissionDecisionReason: 'house rule',
                },
              };
            },
          },
        ],
      },
    });
    for (const name of ['blocked', 'broken', 'fine']) {
      place.model.play([{ reply: touch(name) }, { when: anyResult, reply: text('ok') }]);
      await session.send(name).text();
    }
    expect(seen).toEqual(['touch blocked', 'touch broken', 'touch fine']);
    expect(['blocked', 'broken', 'fine'].map((file) => existsSync(join(place.folders.cwd, file)))).toEqual([
      false,
      false,
      true,
    ]);
    const told = place.model.model.requests
      .flatMap((request) => request.toolResults.map((result) => result.text))
      .join('\n');
    expect(told).toContain('house rule');
    expect(told).toContain('the hook broke');
  });

  test("rules are applied by the CLI's own engine", async () => {
    await using place = await realPlace(cli);
    const asked: string[] = [];
    const hidden: string[] = [];
    await using session = await place.open({
      rules: { allow: ['Write'], deny: ['Bash'] },
      onPermission: (prompt) => {
        asked.push(prompt.tool);
        return prompt.deny('no');
      },
      onDiagnostic: ({ code, message }) => code === 'REQUESTS_HIDDEN' && hidden.push(message),
    });
    const file = join(place.folders.cwd, 'by-rule.txt');
    place.model.play([
      { reply: toolUse('Write', { file_path: file, content: 'x' }) },
      { when: anyResult, reply: text('ok') },
    ]);
    await session.send('write').text();
    expect(existsSync(file)).toBe(true);
    place.model.play([{ reply: touch('denied-by-rule') }, { when: anyResult, reply: text('ok') }]);
    await session.send('touch').outcome;
    expect(existsSync(join(place.folders.cwd, 'denied-by-rule'))).toBe(false);
    expect(asked).toEqual([]);
    expect(hidden).toEqual([expect.stringContaining('Write')]);
  });

  test('an elicitation of an MCP server is answered, or its callback is refused if it can never be called', async () => {
    await using place = await realPlace(cli);
    const server = fileURLToPath(new URL('../fixtures/mcp/asks.mjs', import.meta.url));
    const options = {
      mcpServers: { asks: { command: process.execPath, args: [server] } },
      allowedTools: ['mcp__asks__ask'],
      onElicitation: (prompt: ElicitationPrompt) => prompt.accept({ name: 'Ada' }),
    };
    if (!isNew) {
      await expect(place.open(options)).rejects.toMatchObject({
        code: 'CALLBACK_UNREACHABLE',
        message: /onElicitation/,
      });
      return;
    }
    await using session = await place.open(options);
    place.model.play([
      { reply: toolUse('mcp__asks__ask', {}) },
      { when: { toolResult: /Ada/ }, reply: text('hello Ada') },
    ]);
    expect(await session.send('ask').text()).toBe('hello Ada');
  });
});

describeRealClis('a killed CLI', (cli) => {
  test.each(['SIGKILL', 'SIGTERM'] as const)('does not withdraw its prompt: %s', async (signal) => {
    await using place = await realPlace(cli);
    await using session = await place.open({ prompts: 'manual' });
    place.model.play([{ reply: touch('plain') }]);
    const turn = session.send('go');
    await place.until(() => session.prompts.open.length === 1);
    const [prompt] = session.prompts.open;
    process.kill(Number(session.pid), signal);
    expect((await turn.outcome).kind).toBe('cli-ended');
    expect(prompt?.signal.reason).toMatchObject({ code: 'CLI_ENDED' });
  });
});
