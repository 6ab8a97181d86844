import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { ElicitationPrompt } from '../../src/host/session/prompts/elicitation-prompt.js';
import type { PermissionPrompt } from '../../src/host/session/prompts/permission-prompt.js';
import { text, toolUse } from '../../src/lab/testing/model/replies.js';
import { describeRealClis } from './support/each-real-cli.js';
import { realPlace } from './support/real-session.js';

const anyResult = { toolResult: /[\s\S]*/ };

describeRealClis('answers', (cli) => {
  const isNew = cli.version === '2.1.326';

  test('a plan is sent back and then approved', async () => {
    await using place = await realPlace(cli);
    const plans: string[] = [];
    await using session = await place.open({
      permissionMode: 'plan',
      onPlan: (prompt) => {
        plans.push(prompt.kind);
        return plans.length === 1 ? prompt.reject('make it shorter') : prompt.approve();
      },
    });
    const plan = (words: string) => toolUse('ExitPlanMode', { plan: words });
    place.model.play([
      { when: 'plan it', reply: plan('a long plan') },
      { when: { toolResult: /make it shorter/ }, reply: plan('a short plan') },
      { when: anyResult, reply: text('begun') },
    ]);
    expect(await session.send('plan it').text()).toBe('begun');
    expect(plans).toEqual(['plan', 'plan']);
  });

  test('an allow remembers exactly what was chosen', async () => {
    await using place = await realPlace(cli);
    const asked: string[] = [];
    await using session = await place.open({
      onPermission: (prompt) => {
        asked.push(prompt.tool);
        expect(prompt.choices).toHaveLength(prompt.suggestions.length);
        return prompt.allow({ remember: prompt.choices.find(({ kind }) => kind !== 'mode') });
      },
    });
    place.model.play([
      { reply: toolUse('Bash', { command: 'touch made; ls' }) },
      { when: anyResult, reply: write('one.txt') },
      { when: anyResult, reply: text('ok') },
    ]);
    await session.send('go').text();
    expect(asked).toEqual(['Bash', 'Write']);
    expect(existsSync(join(place.folders.cwd, '.claude'))).toBe(false);

    function write(name: string) {
      return toolUse('Write', { file_path: join(place.folders.cwd, name), content: 'x' });
    }
  });

  test('a remembered choice prevents further prompts, and one for the folder is stored there', async () => {
    await using place = await realPlace(cli);
    const asked: string[] = [];
    await using session = await place.open({
      onPermission: (prompt) => {
        asked.push(prompt.tool);
        const mode = prompt.choices.find(({ kind }) => kind === 'mode');
        const rule = prompt.choices.find(({ kind }) => kind === 'rule')?.for('folder');
        return prompt.allow({ remember: rule ?? mode });
      },
    });
    const make = toolUse('Bash', { command: 'mkdir -p sub' });
    place.model.play([
      { reply: make },
      { when: anyResult, reply: make },
      { when: anyResult, reply: text('ok') },
    ]);
    await session.send('go').text();
    expect(asked).toEqual(['Bash']);
    // 2.1.17 suggests no rule for it, only the mode.
    const settings = join(place.folders.cwd, '.claude/settings.local.json');
    if (cli.version !== '2.1.17') expect(readFileSync(settings, 'utf8')).toContain('Bash(mkdir -p sub)');
  });

  test('a read rule suggested for a shell command stops the prompts, or has a warning', async () => {
    await using place = await realPlace(cli);
    const outside = join(place.folders.home, 'note.txt');
    writeFileSync(outside, 'herons');
    const asked: PermissionPrompt['choices'][] = [];
    await using session = await place.open({
      onPermission: (prompt) => {
        asked.push(prompt.choices);
        return prompt.allow({ remember: prompt.choices.filter(({ kind }) => kind === 'rule') });
      },
    });
    const look = toolUse('Bash', { command: `cat ${outside}` });
    place.model.play([
      { reply: look },
      { when: anyResult, reply: look },
      { when: anyResult, reply: text('ok') },
    ]);
    await session.send('go').text();
    const warnings = asked[0]?.flatMap(({ kind, warning }) => (kind === 'rule' ? [warning] : []));
    expect(warnings).not.toHaveLength(0);
    // The prompt does not show whether a CLI is old, so the warning appears on all of them.
    expect(warnings).toContainEqual(expect.stringContaining('An old CLI asks again'));
    expect(asked).toHaveLength(cli.version === '2.0.73' ? 2 : 1);
  });

  test('a late hook with the policy block blocks, on every version', async () => {
    await using place = await realPlace(cli);
    const aborted: boolean[] = [];
    await using session = await place.open({
      permissionMode: 'bypassPermissions',
      allowDangerouslySkipPermissions: true,
      hooks: {
        PreToolUse: [
          {
            matcher: 'Bash',
            timeoutMs: 2000,
            onFailure: 'block',
            run: (_input, { signal }) =>
              new Promise((resolve) => {
                signal.addEventListener('abort', () => {
                  aborted.push(true);
                  resolve({});
                });
              }),
          },
        ],
      },
    });
    place.model.play([
      { reply: toolUse('Bash', { command: 'touch late' }) },
      { when: { toolResult: /did not answer within 2 s/ }, reply: text('blocked') },
    ]);
    expect(await session.send('go').text()).toBe('blocked');
    expect(existsSync(join(place.folders.cwd, 'late'))).toBe(false);
    expect(aborted).toEqual([true]);
  });

  test('a prompt that arrives again after a second initialize is shown once', async () => {
    if (!isNew) {
      // 2.0.73 exits on it and 2.1.17 refuses it, so nothing is delivered again.
      await using place = await realPlace(cli);
      await using session = await place.open();
      await expect(session.control('initialize', {})).rejects.toMatchObject({
        code: /ENDPOINT_UNSUPPORTED|REQUEST_REFUSED/,
      });
      return;
    }
    await using place = await realPlace(cli);
    await using session = await place.open({ prompts: 'manual' });
    const shown: string[] = [];
    const opened = new Promise<void>((resolve) => {
      session.on('prompt', ({ prompt, state }) => {
        if (state === 'open') shown.push(prompt.id);
        resolve();
      });
    });
    place.model.play([
      { reply: toolUse('Bash', { command: 'touch again' }) },
      { when: anyResult, reply: text('ok') },
    ]);
    const turn = session.send('go');
    await opened;
    await session.control('initialize', {});
    const [prompt] = session.prompts.open;
    if (prompt?.kind === 'permission') prompt.allow();
    expect(await turn.text()).toBe('ok');
    expect(shown).toHaveLength(1);
  });
});

describeRealClis(
  'answers to MCP servers',
  (cli) => {
    test('an elicitation with an address is accepted', async () => {
      await using place = await realPlace(cli);
      const server = fileURLToPath(new URL('../fixtures/mcp/asks.mjs', import.meta.url));
      const seen: unknown[] = [];
      await using session = await place.open({
        mcpServers: { asks: { command: process.execPath, args: [server, 'url'] } },
        allowedTools: ['mcp__asks__ask'],
        onElicitation: (prompt: ElicitationPrompt) => {
          seen.push(prompt.mode, prompt.url);
          return prompt.accept();
        },
      });
      place.model.play([
        { reply: toolUse('mcp__asks__ask', {}) },
        { when: { toolResult: /accept/ }, reply: text('visited') },
      ]);
      expect(await session.send('ask').text()).toBe('visited');
      expect(seen).toEqual(['url', 'http://127.0.0.1/form']);
    });
  },
  ['2.1.326'],
);
