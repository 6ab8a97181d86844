import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openSession } from '../../src/entry/sdk/open-session.js';
import type { AnyPrompt } from '../../src/host/session/prompts/open-prompts.js';
import type { SessionOptions } from '../../src/host/session/session-options.js';
import { type EmulateOptions, emulateCli } from '../../src/lab/testing/emulator/emulate-cli.js';
import { onUser, type Scenario } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { hook } from '../../src/lab/testing/emulator/steps/asking-steps.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { askQuestion, question, useTool } from '../../src/lab/testing/emulator/steps/tool-steps.js';
import type { PermissionUpdate } from '../../src/wire/protocol/catalog/shapes/permissions-shapes.schemas.js';
import { encodeCancel, encodeRequest } from '../../src/wire/protocol/encode.js';
import { decodeLine, type Frame } from '../../src/wire/protocol/frames.js';
import { memoryPair } from '../../src/wire/transport/memory.js';
import { deferred } from '../../src/wire/util/deferred.js';
import { CLI_REQUESTS } from '../support/cli-requests.js';
import { settle } from '../support/settle.js';
import { testedVersions } from '../support/tested-versions.js';

async function open(scenario: Scenario, options: SessionOptions = {}, emulation: EmulateOptions = {}) {
  const cli = emulateCli(scenario, emulation);
  const session = await openSession({ transport: cli.transport, ...options });
  return { cli, session };
}

describe.each(testedVersions)('answers to %s', (version) => {
  test('a changed input runs, and a remembered rule prevents further prompts', async () => {
    const asked: unknown[] = [];
    const rule: PermissionUpdate = {
      type: 'addRules',
      rules: [{ toolName: 'Read' }],
      behavior: 'allow',
      destination: 'session',
    };
    const { session, cli } = await open(
      [
        onUser([
          useTool(
            'Bash',
            { command: 'rm' },
            { ask: true, result: ({ command }) => `ran ${String(command)}` },
          ),
          useTool(
            'Read',
            { file_path: 'a' },
            { ask: true, result: 'A', prompt: { permission_suggestions: [rule] } },
          ),
          useTool('Read', { file_path: 'b' }, { ask: true, result: 'B' }),
          say('done'),
        ]),
      ],
      {
        onPermission: (prompt) => {
          asked.push(prompt.tool);
          return prompt.tool === 'Bash'
            ? prompt.allow({ input: { command: 'ls' } })
            : prompt.allow({ remember: prompt.choices });
        },
      },
      { version },
    );
    await using _owned = session;
    const results: string[] = [];
    for await (const message of session.send('go'))
      if (message.type === 'user') results.push(JSON.stringify(message.message));
    expect(asked).toEqual(['Bash', 'Read']);
    expect(results[0]).toContain('ran ls');
    cli.assertFinished();
  });

  test('a form with a single choice, several choices and free text is answered', async () => {
    const { session, cli } = await open(
      [
        onUser([
          askQuestion([
            question('One?', ['A', 'B']),
            question('Many?', ['C', 'D'], { multiSelect: true }),
            question('Free?', ['E']),
          ]),
          say('noted'),
        ]),
      ],
      { onQuestion: (form) => form.answer({ 'One?': 'A', 'Many?': ['C', 'D'], 'Free?': { other: 'mine' } }) },
      { version },
    );
    await using _owned = session;
    expect(await session.send('ask').text()).toBe('noted');
    expect(cli.lines.join('\n')).toContain('"answers":{"One?":"A","Many?":"C, D","Free?":"mine"}');
    cli.assertFinished();
  });

  test('a plan is shown with its text, and approved or sent back', async () => {
    const plans: unknown[] = [];
    const { session, cli } = await open(
      [
        onUser([
          useTool(
            'ExitPlanMode',
            { plan: 'first try' },
            { ask: true, expect: { behavior: 'deny', message: 'shorter' }, result: 'x' },
          ),
          useTool(
            'ExitPlanMode',
            { plan: 'second' },
            { ask: true, expect: { behavior: 'allow' }, result: 'approved' },
          ),
          say('begun'),
        ]),
      ],
      {
        onPlan: (prompt) => {
          plans.push(prompt.plan);
          return plans.length === 1 ? prompt.reject('shorter') : prompt.approve();
        },
      },
      { version },
    );
    await using _owned = session;
    expect(await session.send('plan it').text()).toBe('begun');
    expect(plans).toEqual(['first try', 'second']);
    cli.assertFinished();
  });

  test('a PreToolUse hook blocks the call; an async one is passed on unchanged', async () => {
    const deny = {
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: 'no',
      },
    } as const;
    const { session, cli } = await open(
      [
        onUser([
          useTool('Bash', { command: 'x' }, { result: 'never seen' }),
          hook(
            'PostToolUse',
            { tool_name: 'Bash', tool_input: {}, tool_response: '' },
            { expect: { async: true } },
          ),
          say('ok'),
        ]),
      ],
      {
        hooks: {
          PreToolUse: [{ matcher: 'Bash', run: () => deny }],
          PostToolUse: [{ run: () => ({ async: true }) }],
        },
      },
      { version },
    );
    await using _owned = session;
    const seen: string[] = [];
    for await (const message of session.send('go')) seen.push(JSON.stringify(message));
    expect(seen.join('\n')).not.toContain('never seen');
    cli.assertFinished();
  });

  test('closing with an open prompt withdraws it', async () => {
    const { session } = await open(
      [onUser([useTool('Bash', {}, { ask: true, result: 'x' })])],
      { prompts: 'manual' },
      { version, closeWaitMs: 10 },
    );
    const opened = deferred<AnyPrompt>();
    session.on('prompt', ({ prompt }) => opened.resolve(prompt));
    session.send('go');
    const prompt = await opened.promise;
    await session.close();
    expect(prompt.state).toBe('withdrawn');
    expect(session.prompts.open).toEqual([]);
  });
});

describe('on the wire', () => {
  const kinds = Object.keys(CLI_REQUESTS) as (keyof typeof CLI_REQUESTS)[];
  const act = fc.record({
    method: fc.constantFrom(
      'allow',
      'deny',
      'answer',
      'decline',
      'approve',
      'reject',
      'accept',
      'cancel',
      'complete',
      'refuse',
      'none',
    ),
    argument: fc.anything(),
    times: fc.integer({ min: 1, max: 3 }),
    throws: fc.boolean(),
    result: fc.anything(),
  });

  /** Does something arbitrary with a prompt, as a careless program might. */
  function misuse(prompt: AnyPrompt | undefined, { method, argument, times, throws, result }: Act): never {
    const methods = prompt as unknown as
      | Record<string, ((argument: unknown) => unknown) | undefined>
      | undefined;
    for (let time = 0; time < times; time += 1) methods?.[method]?.call(prompt, argument);
    if (throws) throw result;
    return result as never;
  }
  type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;

  test('whatever callbacks do, each request gets exactly one well-formed answer, or none if it was withdrawn', async () => {
    const request = fc.record({ kind: fc.constantFrom(...kinds), act, withdrawn: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 6 }), async (requests) => {
        const [near, far] = memoryPair();
        const heard: Frame[] = [];
        far.start((lines) => {
          for (const line of lines) {
            const frame = decodeLine(line);
            if (frame.kind === 'request')
              void far.send(
                JSON.stringify({
                  type: 'control_response',
                  response: { subtype: 'success', request_id: frame.id },
                }),
              );
            else heard.push(frame);
          }
        });
        let next = 0;
        const take = () =>
          requests[next++]?.act ?? { method: 'none', argument: 0, times: 1, throws: false, result: 0 };
        const misused = (prompt: AnyPrompt) => misuse(prompt, take() as Act);
        const session = await openSession({
          transport: near,
          onPermission: misused,
          onQuestion: misused,
          onPlan: misused,
          onElicitation: misused,
          onDialog: misused,
          supportedDialogKinds: ['d'],
          hooks: { PreToolUse: [{ run: () => misuse(undefined, take() as Act) }] },
        });
        for (const [index, { kind, withdrawn }] of requests.entries()) {
          void far.send(encodeRequest(`c${index}`, CLI_REQUESTS[kind]));
          if (withdrawn) void far.send(encodeCancel(`c${index}`));
        }
        await settle();
        await settle();
        const expected = requests.flatMap(({ withdrawn }, index) => (withdrawn ? [] : [`c${index}`]));
        expect(heard.map((frame) => ('id' in frame ? frame.id : frame.kind)).toSorted()).toEqual(expected);
        for (const frame of heard) checkAnswer(frame, requests);
        await session.close();
      }),
      { numRuns: 150 },
    );
  });

  function checkAnswer(frame: Frame, requests: readonly { readonly kind: string }[]): void {
    const id = 'id' in frame ? String(frame.id) : '';
    const kind = requests[Number(id.slice(1))]?.kind ?? 'hook';
    if (kind === 'hook') {
      expect(['success', 'refusal']).toContain(frame.kind);
      return;
    }
    if (frame.kind !== 'success') throw new Error(`a ${kind} prompt was answered with a ${frame.kind}`);
    expect(frame.value).toMatchObject(wellFormed(kind, frame.value));
  }

  function wellFormed(kind: string, value: unknown): object {
    const { behavior, action } = value as { behavior?: unknown; action?: unknown };
    if (kind === 'elicitation') return { action: expect.stringMatching(/^(accept|decline|cancel)$/) };
    if (kind === 'dialog') return { behavior: expect.stringMatching(/^(completed|cancelled)$/) };
    expect(action).toBeUndefined();
    return behavior === 'allow'
      ? { updatedInput: expect.any(Object), toolUseID: 't' }
      : { behavior: 'deny', message: expect.any(String), toolUseID: 't' };
  }
});
