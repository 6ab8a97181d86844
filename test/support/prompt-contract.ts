import { expect, test } from 'vitest';
import type { AnyPrompt, Prompts } from '../../src/host/session/prompts/open-prompts.js';
import { onRequest, onUser, type Scenario } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { die } from '../../src/lab/testing/emulator/steps/life-steps.js';
import { done } from '../../src/lab/testing/emulator/steps/result-steps.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { useTool } from '../../src/lab/testing/emulator/steps/tool-steps.js';
import type { WireObject } from '../../src/wire/protocol/frames.js';
import { ALWAYS_LS } from './prompts.js';

/** A conversation, known by its prompts alone. */
export interface PromptPlace {
  readonly prompts: () => Prompts;
  readonly on: (listener: (change: { readonly prompt: AnyPrompt; readonly state: string }) => void) => void;
  readonly send: (text: string) => void;
  readonly control: (subtype: string) => Promise<unknown>;
  /** The same conversation for another program, if that makes its own prompts. */
  readonly another?: () => Promise<Pick<PromptPlace, 'prompts'>>;
}

/** Tests of prompts as objects: the same event, list and methods, wherever the CLI runs. */
export function promptContract(
  open: (scenario: Scenario) => Promise<PromptPlace>,
  { oneCli = false }: { readonly oneCli?: boolean } = {},
): void {
  async function asking() {
    const answers: WireObject[] = [];
    const tool = useTool(
      'Bash',
      { command: 'ls' },
      {
        ask: true,
        result: 'files',
        prompt: { permission_suggestions: [ALWAYS_LS], decision_reason: 'a reason' },
        expect: (answer) => answers.push(answer as WireObject) > 0,
      },
    );
    const place = await open([
      onUser(undefined, [tool, say('Done.'), done()], { times: 'any' }),
      onRequest('side_question', [die({ code: 1 })]),
    ]);
    const told: string[] = [];
    place.on(({ prompt, state }) => told.push(`${prompt.kind} ${state}`));
    place.send('list');
    return { place, answers, told, prompt: await opened(place) };
  }

  test('a prompt is an object that can be answered, with an event and a place in the list', async () => {
    const { place, answers, told, prompt } = await asking();
    expect(told).toEqual(['permission open']);
    expect(place.prompts().find(prompt.id)).toBe(prompt);
    expect(prompt.allow({ remember: prompt.choices })).toEqual({ promptId: prompt.id, accepted: true });
    await expect.poll(() => answers).toMatchObject([{ behavior: 'allow', updatedPermissions: [ALWAYS_LS] }]);
    await expect.poll(() => told).toEqual(['permission open', 'permission answered']);
    expect(place.prompts().open).toEqual([]);
    expect(prompt.deny().accepted).toBe(false);
  });

  test('a denied prompt tells the reason', async () => {
    const { answers, prompt } = await asking();
    expect(prompt.deny('not here').accepted).toBe(true);
    await expect.poll(() => answers).toMatchObject([{ behavior: 'deny', message: 'not here' }]);
  });

  // The prompts of a session end with its CLI.
  if (oneCli) return;

  test('a prompt whose CLI has ended has the same shape, and its answer is for the next CLI', async () => {
    const { place, answers, prompt } = await asking();
    await expect(place.control('side_question')).rejects.toThrow();
    const kept = await opened((await place.another?.()) ?? place);
    expect(kept).not.toBe(prompt);
    expect(kept.allow({ remember: kept.choices }).accepted).toBe(true);
    await expect.poll(() => answers).toMatchObject([{ behavior: 'allow', updatedPermissions: [ALWAYS_LS] }]);
    expect(answers[0]?.updatedInput).toEqual({ command: 'ls' });
  });
}

/** The only open prompt, complete in every place. */
async function opened({ prompts }: Pick<PromptPlace, 'prompts'>) {
  await expect.poll(() => prompts().open.length).toBe(1);
  const [prompt] = prompts().open;
  if (prompt?.kind !== 'permission') throw new Error(`not a permission: ${prompt?.kind}`);
  expect(prompt).toMatchObject({ tool: 'Bash', input: { command: 'ls' }, decisionReason: 'a reason' });
  expect(prompt.choices).toMatchObject([{ kind: 'rule', scope: 'session', suggestion: ALWAYS_LS }]);
  expect(prompt.suggestions).toEqual([ALWAYS_LS]);
  return prompt;
}
