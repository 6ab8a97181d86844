import { describe, expect, test } from 'vitest';
import { openSession } from '../../src/entry/sdk/open-session.js';
import type { SessionOptions } from '../../src/host/session/session-options.js';
import { type EmulateOptions, emulateCli } from '../../src/lab/testing/emulator/emulate-cli.js';
import { onUser, type Scenario } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { askHost, elicit, hook } from '../../src/lab/testing/emulator/steps/asking-steps.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { useTool } from '../../src/lab/testing/emulator/steps/tool-steps.js';
import { testedVersions } from '../support/tested-versions.js';

async function open(scenario: Scenario, options: SessionOptions = {}, emulation: EmulateOptions = {}) {
  const cli = emulateCli(scenario, emulation);
  const session = await openSession({ transport: cli.transport, ...options });
  return { cli, session };
}

const asksOnce: Scenario = [
  onUser([useTool('Bash', { command: 'ls' }, { ask: true, result: 'a' }), say('done')]),
];

describe.each(testedVersions)('prompts of %s', (version) => {
  test('can be answered by id from elsewhere, with an event for each change', async () => {
    const { session } = await open(asksOnce, { prompts: 'manual' }, { version });
    await using _owned = session;
    const states: string[] = [];
    session.on('prompt', ({ prompt, state }) => {
      states.push(state);
      if (state !== 'open') return;
      const found = session.prompts.find(prompt.id);
      if (found?.kind === 'permission') found.allow();
    });
    expect(await session.send('go').text()).toBe('done');
    expect(states).toEqual(['open', 'answered']);
  });

  test('without a callback are denied at once, and the turn continues', async () => {
    const { session } = await open(asksOnce, {}, { version });
    await using _owned = session;
    expect((await session.send('go').outcome).kind).toBe('success');
    expect(session.prompts.open).toEqual([]);
  });

  test('withdrawn by an interrupt accept no late answer', async () => {
    const { session, cli } = await open(asksOnce, { prompts: 'manual' }, { version });
    await using _owned = session;
    const opened = new Promise<void>((resolve) => {
      session.on('prompt', () => resolve());
    });
    const turn = session.send('go');
    await opened;
    const [prompt] = session.prompts.open;
    await session.interrupt();
    expect((await turn.outcome).kind).toBe('interrupted');
    expect(prompt?.state).toBe('withdrawn');
    expect(prompt?.refuse('late')).toMatchObject({ accepted: false });
    expect(cli.received.some(({ type }) => type === 'control_response')).toBe(false);
  });

  test('a denial with interrupt makes the outcome an interrupt', async () => {
    const { session } = await open(
      asksOnce,
      { onPermission: (prompt) => prompt.deny('stop', { interrupt: true }) },
      { version },
    );
    await using _owned = session;
    expect((await session.send('go').outcome).kind).toBe('interrupted');
  });

  test('hooks get their input, and their output is sent back', async () => {
    const seen: unknown[] = [];
    const { session, cli } = await open(
      [
        onUser([
          hook('PreToolUse', { tool_name: 'Bash', tool_input: {} }, { expect: { continue: true } }),
          say('x'),
        ]),
      ],
      {
        hooks: {
          PreToolUse: [
            {
              run: (input) => {
                seen.push(input.tool_name);
                return { continue: true };
              },
            },
          ],
        },
      },
      { version },
    );
    await using _owned = session;
    await session.send('go').text();
    expect(seen).toEqual(['Bash']);
    cli.assertFinished();
  });
});

describe('prompts', () => {
  test('elicitations and dialogs reach their callbacks', async () => {
    const { session, cli } = await open(
      [
        onUser([
          elicit('files', 'May I?', { expect: { action: 'accept', content: { yes: true } } }),
          askHost(
            { subtype: 'request_user_dialog', dialog_kind: 'trust', payload: 1 },
            { expect: { behavior: 'completed', result: 2 } },
          ),
          say('x'),
        ]),
      ],
      {
        onElicitation: (prompt) => prompt.accept({ yes: true }),
        onDialog: (prompt) => prompt.complete(2),
        supportedDialogKinds: ['trust'],
      },
    );
    await using _owned = session;
    await session.send('go').text();
    cli.assertFinished();
  });

  test('delivered again after a second initialize are shown once', async () => {
    const { session } = await open(asksOnce, { prompts: 'manual' });
    await using _owned = session;
    const shown: string[] = [];
    const opened = new Promise<void>((resolve) => {
      session.on('prompt', ({ prompt, state }) => {
        if (state === 'open') shown.push(prompt.id);
        resolve();
      });
    });
    const turn = session.send('go');
    await opened;
    await session.control('initialize', {});
    expect(session.prompts.open).toHaveLength(1);
    const [prompt] = session.prompts.open;
    if (prompt?.kind === 'permission') prompt.allow();
    expect(await turn.text()).toBe('done');
    expect(shown).toHaveLength(1);
  });

  test('that can never arrive fail the open, and hidden ones are reported', async () => {
    const old = emulateCli([], { version: '2.1.17' });
    const opening = openSession({ transport: old.transport, onElicitation: (prompt) => prompt.decline() });
    await expect(opening).rejects.toMatchObject({ code: 'CALLBACK_UNREACHABLE', message: /onElicitation/ });
    await old.transport.ended;
    const codes: string[] = [];
    await using _session = await openSession({
      transport: () => emulateCli([]).transport,
      onPermission: (prompt) => prompt.allow(),
      allowedTools: ['Read'],
      onDiagnostic: ({ code }) => codes.push(code),
    });
    expect(codes).toEqual(['REQUESTS_HIDDEN']);
  });

  test.each<[string, object]>([
    ['onDialog', { onDialog: () => {} }],
    ['onQuestion', { onQuestion: () => {}, disallowedTools: ['AskUserQuestion'] }],
    ['onQuestion', { onQuestion: () => {}, tools: ['Read'] }],
    ['onPlan', { onPlan: () => {}, disallowedTools: ['ExitPlanMode'] }],
    ['prompts', { prompts: 'manual', permissionPrompts: 'none' }],
    ['onPermission', { onPermission: () => {}, permissionPrompts: 'none' }],
    ['onPermission', { onPermission: () => {}, permissionPromptTool: 'mcp__x__y' }],
    ['rules', { rules: { allow: ['Read'] }, settings: './settings.json' }],
    ['promptTimeoutsMs', { promptTimeoutsMs: { permission: -1 } }],
  ])('%s is refused if nothing could ever reach it', async (option, options) => {
    await expect(openSession(options as SessionOptions)).rejects.toMatchObject({
      code: 'OPTION_INVALID',
      option,
    });
  });
});
