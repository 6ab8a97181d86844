import { describe, expect, test } from 'vitest';
import { onUser } from '../../../../src/lab/testing/emulator/scenario/scenario.js';
import { done } from '../../../../src/lab/testing/emulator/steps/result-steps.js';
import { say } from '../../../../src/lab/testing/emulator/steps/speech-steps.js';
import { useTool } from '../../../../src/lab/testing/emulator/steps/tool-steps.js';
import type { Diagnostic } from '../../../../src/wire/util/diagnostics.js';
import { echo, emulatedManager } from '../../../support/manager.js';

const asks = [
  onUser(
    undefined,
    [useTool('Bash', { command: 'rm x' }, { ask: true, result: 'gone' }), say('over'), done()],
    {
      times: 'any',
    },
  ),
];

test('the diagnostics of a manager also go to onDiagnostic', async () => {
  const heard: string[] = [];
  const { manager } = await emulatedManager(
    { scenarios: [asks] },
    {
      defaults: { onPermission: () => true as never },
      onDiagnostic: ({ conversation, diagnostic }) => heard.push(`${conversation} ${diagnostic.code}`),
    },
  );
  await manager.conversation('one').send('go').outcome;
  expect(heard).toEqual(['one CALLBACK_FAILED']);
});

describe('prompts of a manager', () => {
  test('are denied if no callback is set, even if somebody listens', async () => {
    const { manager } = await emulatedManager({ scenarios: [asks, echo] }, { maxRunning: 1 });
    const heard: string[] = [];
    manager.on('prompt', ({ prompt, state }) => heard.push(`${prompt.kind} ${state}`));
    const turn = manager.conversation('one').send('go');
    expect((await turn.outcome).result?.permission_denials).toHaveLength(1);
    expect(heard.filter((change) => change.endsWith('open'))).toHaveLength(heard.length / 2);
    expect(await manager.conversation('two').send('x').text()).toBe('echo: x');
  });

  test('go to the callbacks', async () => {
    const onPermission = (prompt: { allow(): never }) => prompt.allow();
    const { manager } = await emulatedManager({ scenarios: [asks] }, { defaults: { onPermission } as never });
    expect((await manager.conversation('one').send('go').outcome).result?.permission_denials).toEqual([]);
  });

  test('that stay open and hold all slots are named once', async () => {
    const { manager } = await emulatedManager(
      { scenarios: [asks, asks, echo] },
      { maxRunning: 2, defaults: { prompts: 'manual' } },
    );
    const held: Extract<Diagnostic, { code: 'SLOTS_HELD' }>[] = [];
    manager.on('diagnostic', ({ diagnostic }) => {
      if (diagnostic.code === 'SLOTS_HELD') held.push(diagnostic);
    });
    const talks = ['one', 'two'].map((name) => manager.conversation(name));
    const turns = talks.map((talk) => talk.send('go'));
    const waiting = [manager.conversation('three').send('x'), manager.conversation('four').send('y')];
    await expect.poll(() => held.length, { timeout: 5_000 }).toBe(1);
    const ids = talks.map((talk) => talk.prompts.open[0]?.id);
    expect(held[0]).toMatchObject({
      prompts: [
        { conversation: 'one', promptId: ids[0] },
        { conversation: 'two', promptId: ids[1] },
      ],
      message: expect.stringMatching(/one \(Bash\), two \(Bash\)/),
    });
    for (const talk of talks) for (const prompt of talk.prompts.open) prompt.refuse('no');
    await Promise.all([...turns, ...waiting].map((turn) => turn.outcome));
    expect(held).toHaveLength(1);
  });

  test('hold no slot if nobody waits for it', async () => {
    const { manager } = await emulatedManager(
      { scenarios: [asks] },
      { maxRunning: 1, defaults: { prompts: 'manual' } },
    );
    const codes: string[] = [];
    manager.on('diagnostic', ({ diagnostic }) => codes.push(diagnostic.code));
    const talk = manager.conversation('one');
    const turn = talk.send('go');
    await expect.poll(() => talk.prompts.open.length).toBe(1);
    talk.prompts.open[0]?.refuse('no');
    await turn.outcome;
    expect(codes).toEqual([]);
  });
});
