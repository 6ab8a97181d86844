import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { processServer } from '../../../../../src/lab/conformance/process-server.js';
import { onlyLooks } from '../../../../../src/lab/testing/emulator/agent/shell.js';
import { emulateCli } from '../../../../../src/lab/testing/emulator/emulate-cli.js';
import { readScenario } from '../../../../../src/lab/testing/emulator/program/scenario-file.js';
import { onUser } from '../../../../../src/lab/testing/emulator/scenario/scenario.js';
import type { SessionStart } from '../../../../../src/lab/testing/emulator/session-state.js';
import { askModel } from '../../../../../src/lab/testing/emulator/steps/model-steps.js';
import { cut, drip, type Reply, text, toolUse } from '../../../../../src/lab/testing/model/replies.js';
import { scriptModel } from '../../../../../src/lab/testing/model/script-model.js';
import type { ScriptedModel } from '../../../../../src/lab/testing/model/scripted-model.js';
import { isObject, type WireObject } from '../../../../../src/wire/protocol/frames.js';
import { EmulatedHost } from '../../../../support/emulated-host.js';

let folder = '';
let model: ScriptedModel;
let host: EmulatedHost;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'emulated-agent-'));
});

afterEach(async () => {
  await host.close();
  await model?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** An emulated CLI whose model gives these replies, call by call. */
async function start(
  replies: readonly Reply[],
  options: SessionStart & { version?: string } = {},
): Promise<void> {
  model = await scriptModel(replies);
  const any = [onUser(undefined, [askModel({ url: model.url })], { times: 'any' })];
  host = new EmulatedHost(emulateCli(any, { cwd: folder, ...options }));
  host.onRequest((body) =>
    body.subtype === 'can_use_tool' ? { behavior: 'allow', updatedInput: body.input } : {},
  );
}

async function turn(words = 'go'): Promise<WireObject> {
  await host.user(words);
  return host.next(({ type }) => type === 'result');
}

function results(): readonly WireObject[] {
  return host.frames.flatMap(({ type, message }) => {
    const content =
      type === 'user' && isObject(message) && Array.isArray(message.content) ? message.content : [];
    return content.filter(isObject).filter((block) => block.type === 'tool_result');
  });
}

describe('a scenario that asks a model', () => {
  test('can be written as JSON', async () => {
    model = await scriptModel([text('hi')]);
    const steps = [{ do: 'askModel', url: model.url }];
    host = new EmulatedHost(emulateCli(readScenario([{ on: 'user', steps }])));
    expect(await turn()).toMatchObject({ subtype: 'success', result: 'hi' });
    expect(() => readScenario([{ on: 'user', steps: [{ do: 'askModel', url: 1 }] }])).toThrow(
      /steps\[0\]\.url/,
    );
  });

  test('sends the model’s output as it arrives', async () => {
    await start([drip(text('one two three'), { chunkLength: 4, delayMs: 30 })], { partialMessages: true });
    await host.user('go');
    const isDelta = ({ event }: WireObject) => isObject(event) && event.type === 'content_block_delta';
    await host.next(isDelta);
    // The first piece arrives before the last was sent.
    expect(host.labels.filter((label) => label === 'assistant')).toEqual([]);
    await host.next('result/success');
    expect(host.frames.filter(isDelta).length).toBeGreaterThan(2);
  });

  test('fails the turn with a message if there is no model to call', async () => {
    host = new EmulatedHost(emulateCli([onUser([askModel()])], { maxRetries: 0 }));
    expect(await turn()).toMatchObject({
      is_error: true,
      result: expect.stringContaining('ANTHROPIC_BASE_URL'),
    });
  });

  test('calls again if the connection breaks, and repeats nothing', async () => {
    await start([cut([]), text('hi')]);
    expect(await turn()).toMatchObject({ is_error: false, result: 'hi' });
    expect(model.requests).toHaveLength(2);
  });

  test('continues if a hook does not let the model stop', async () => {
    await start([text('one'), text('two')]);
    await host.ask('initialize', { hooks: { Stop: [{ hookCallbackIds: ['stop'] }] } });
    host.onRequest(({ input }) =>
      isObject(input) && input.stop_hook_active === false ? { decision: 'block', reason: 'not yet' } : {},
    );
    expect(await turn()).toMatchObject({ result: 'two' });
    expect(model.requests[1]?.userText).toContain('not yet');
  });
});

describe('tools that the model calls', () => {
  test('read, write, change and find files', async () => {
    const file = join(folder, 'a.txt');
    await start([
      toolUse('Write', { file_path: file, content: 'one\ntwo $& two\n' }),
      toolUse('Edit', { file_path: file, old_string: 'one', new_string: '$&' }),
      toolUse('Edit', { file_path: file, old_string: 'two', new_string: 'x' }),
      [
        toolUse('Read', { file_path: file, limit: 1 }),
        toolUse('Grep', { pattern: 'tw.', output_mode: 'content' }),
        toolUse('Glob', { pattern: '**/*.t?t' }),
      ],
      text('done'),
    ]);
    await turn();
    expect(readFileSync(file, 'utf8')).toBe('$&\ntwo $& two\n');
    const said = results().map(({ content }) => String(content));
    expect(said[2]).toContain('2 times');
    expect(said.slice(3)).toEqual(['1\t$&', 'a.txt:2:two $& two', file]);
  });

  test('do not run if the host denies them', async () => {
    await start([toolUse('Bash', { command: `touch ${join(folder, 'made')}` }), text('done')]);
    host.onRequest(() => ({ behavior: 'deny', message: 'no' }));
    expect(await turn()).toMatchObject({ permission_denials: [{ tool_name: 'Bash' }] });
    expect(existsSync(join(folder, 'made'))).toBe(false);
    expect(model.requests[1]?.toolResults).toMatchObject([{ isError: true, text: 'no' }]);
  });

  test('end when the turn is interrupted, and the model is told', async () => {
    await start([toolUse('Bash', { command: 'touch begun; sleep 60' }), text('next')]);
    await host.user('go');
    await host.next('ask can_use_tool');
    await host.request('interrupt');
    await host.next(({ type }) => type === 'result');
    expect(await turn('again')).toMatchObject({ result: 'next' });
    expect(model.requests[1]?.toolResults).toMatchObject([{ isError: true }]);
  });

  test('of a stdio server work, and the server ends with the CLI', async () => {
    await start([toolUse('mcp__forms__plain'), text('done')], { startsServers: true });
    const servers = { forms: { ...processServer, env: { COXSWAIN_WORD: 'from a process' } } };
    expect(await host.ask('mcp_set_servers', { servers })).toMatchObject({ response: { errors: {} } });
    await turn();
    expect(results()).toMatchObject([{ content: [{ text: 'from a process' }] }]);
  });

  test('of a server whose program is missing are missing, and the server has failed', async () => {
    await start([toolUse('mcp__none__x'), text('done')], { startsServers: true });
    const servers = { none: { command: join(folder, 'nothing'), args: [] } };
    expect(await host.ask('mcp_set_servers', { servers })).toMatchObject({
      response: { errors: { none: expect.stringContaining('ENOENT') } },
    });
    await turn();
    expect(results()).toMatchObject([{ is_error: true }]);
  });

  test('return output in the requested format, or the model is told what is wrong', async () => {
    const jsonSchema = { type: 'object', properties: { colour: { type: 'string' } }, required: ['colour'] };
    await start(
      [toolUse('StructuredOutput', {}), toolUse('StructuredOutput', { colour: 'red' }), text('done')],
      { jsonSchema },
    );
    expect(await turn()).toMatchObject({ structured_output: { colour: 'red' } });
    expect(results().map(({ is_error: isError }) => isError)).toEqual([true, undefined]);
  });

  test('that never return that format end the turn', async () => {
    const jsonSchema = { type: 'object', required: ['colour'], properties: { colour: { type: 'string' } } };
    await start(
      Array.from({ length: 6 }, () => toolUse('StructuredOutput', {})),
      { jsonSchema },
    );
    expect(await turn()).toMatchObject({ subtype: 'error_max_structured_output_retries', is_error: true });
    expect(model.requests).toHaveLength(5);
  });

  test('write rules to the project’s settings if the host wants that', async () => {
    writeFileSync(join(folder, 'a.txt'), 'a');
    await start([toolUse('Bash', { command: 'rm a.txt' }), text('done')]);
    const rules = [{ toolName: 'Bash', ruleContent: 'rm a.txt' }];
    const update = { type: 'addRules', rules, behavior: 'allow', destination: 'localSettings' };
    host.onRequest(({ input }) => ({ behavior: 'allow', updatedInput: input, updatedPermissions: [update] }));
    await turn();
    const settings = JSON.parse(readFileSync(join(folder, '.claude/settings.local.json'), 'utf8'));
    expect(settings).toEqual({ permissions: { allow: ['Bash(rm a.txt)'] } });
  });
});

test.each([
  ['ls -la', true],
  ['sleep 1; echo one | wc', true],
  ['echo a > b', false],
  ['find . -delete', false],
  ['echo $(rm a)', false],
  ['ls & rm a', false],
  ['rm a', false],
  ['ls\nrm a', false],
])('whether %j is read-only: %s', (command, expected) => {
  expect(onlyLooks(command)).toBe(expected);
});
