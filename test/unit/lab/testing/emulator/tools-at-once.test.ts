import { describe, expect, test } from 'vitest';
import { emulateCli } from '../../../../../src/lab/testing/emulator/emulate-cli.js';
import { readStep } from '../../../../../src/lab/testing/emulator/program/read-step.js';
import { onUser, type Scenario } from '../../../../../src/lab/testing/emulator/scenario/scenario.js';
import { say } from '../../../../../src/lab/testing/emulator/steps/speech-steps.js';
import { together } from '../../../../../src/lab/testing/emulator/steps/step.js';
import { useTool } from '../../../../../src/lab/testing/emulator/steps/tool-steps.js';
import { isObject } from '../../../../../src/wire/protocol/frames.js';
import { EmulatedHost } from '../../../../support/emulated-host.js';

function start(scenario: Scenario): EmulatedHost {
  return new EmulatedHost(emulateCli(scenario, { promptsHost: true }));
}

function toolResults(host: EmulatedHost): readonly string[] {
  return host.frames.flatMap(({ type, message }) => {
    const [block] =
      type === 'user' && isObject(message) && Array.isArray(message.content) ? message.content : [];
    return isObject(block) && block.type === 'tool_result' ? [String(block.content)] : [];
  });
}

describe('tools that the model uses at once', () => {
  const both = together([
    useTool('Bash', { command: 'a' }, { ask: true, result: 'A' }),
    useTool('Bash', { command: 'b' }, { ask: true, result: 'B' }),
  ]);

  test('prompt at the same time, in one message, and run as each is allowed', async () => {
    const host = start([onUser([both, say('Both.')])]);
    await host.user('go');
    const first = await host.next('ask can_use_tool');
    const second = await host.next('ask can_use_tool');
    const allow = { behavior: 'allow', updatedInput: { command: 'b' } };
    await host.answer(second, allow);
    await host.next('user');
    expect(toolResults(host)).toEqual(['B']);
    await host.answer(first, { ...allow, updatedInput: { command: 'a' } });
    await host.next('result/success');
    expect(toolResults(host)).toEqual(['B', 'A']);
    const said = host.frames.filter(({ type }) => type === 'assistant').map(({ message }) => message);
    const ids = said.map((message) => (isObject(message) ? message.id : undefined));
    expect(new Set(ids.slice(0, 2)).size).toBe(1);
    expect(ids[2]).not.toBe(ids[0]);
    await host.close();
  });

  test('end together when the turn is interrupted', async () => {
    const host = start([onUser([both, say('never said')]), onUser([say('Next.')])]);
    await host.user('go');
    await host.next('ask can_use_tool');
    await host.next('ask can_use_tool');
    await host.request('interrupt');
    await host.next(({ type }) => type === 'result');
    expect(toolResults(host)).toHaveLength(2);
    await host.user('again');
    await host.next('result/success');
    await host.close();
  });

  test('can be written in JSON too, and are tools', () => {
    const tool = { do: 'useTool', name: 'Bash', input: {} };
    expect(readStep({ do: 'together', steps: [tool, tool] }, 'step')).toMatchObject({ steps: [tool, tool] });
    expect(() => readStep({ do: 'together', steps: [tool, { do: 'hang' }] }, 'step')).toThrow(
      'step.steps[1].do',
    );
  });
});
