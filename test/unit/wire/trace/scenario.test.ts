import { describe, expect, test } from 'vitest';
import { readScenario } from '../../../../src/lab/testing/emulator/program/scenario-file.js';
import { toScenario } from '../../../../src/wire/trace/scenario/to-scenario.js';

const HEADER =
  '{"v":1,"kind":"header","startedAt":"x","argv":[],"platform":"linux","arch":"x64","writer":"x","redacted":false}';

/** The scenario of these lines; a text is noise, and a last object without `type` is the end. */
async function scenarioOf(...lines: readonly (readonly ['host' | 'cli', object | string] | object)[]) {
  const entries = lines.map((line, t) => {
    if (!Array.isArray(line)) return { v: 1, kind: 'end', t, end: line };
    const [from, what] = line;
    return { v: 1, kind: 'line', t, from, ...(typeof what === 'string' ? { text: what } : { frame: what }) };
  });
  const draft = await toScenario({
    text: [HEADER, ...entries.map((entry) => JSON.stringify(entry))].join('\n'),
  });
  readScenario(JSON.parse(JSON.stringify(draft.scenario)));
  return draft;
}

const user = (content: unknown) => ['host', { type: 'user', message: { role: 'user', content } }] as const;
const assistant = (...content: readonly object[]) =>
  ['cli', { type: 'assistant', message: { content } }] as const;
const ask = (id: string, request: object) => ({ type: 'control_request', request_id: id, request });
const answer = (id: string, inner: object) => ({
  type: 'control_response',
  response: { request_id: id, ...inner },
});
const result = (fields: object = {}) =>
  ['cli', { type: 'result', subtype: 'success', result: 'ok', ...fields }] as const;

describe('a scenario from a recording', () => {
  test('has a turn for each user message, with the model’s output and tool calls', async () => {
    const tool = { type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'ls' } };
    const { scenario } = await scenarioOf(
      user([
        { type: 'text', text: 'list ' },
        { type: 'text', text: 'files' },
      ]),
      ['cli', { type: 'system', subtype: 'init' }],
      assistant({ type: 'thinking', thinking: 'hm', signature: 's' }, { type: 'text', text: 'Sure.' }, tool),
      ['cli', ask('c1', { subtype: 'can_use_tool', tool_name: 'Bash', tool_use_id: 't1', input: {} })],
      ['host', answer('c1', { subtype: 'success', response: { behavior: 'allow' } })],
      [
        'cli',
        {
          type: 'user',
          message: { content: [{ type: 'tool_result', tool_use_id: 't1', content: 'a', is_error: true }] },
        },
      ],
      ['cli', 'Debugger attached.'],
      ['cli', { type: 'system', subtype: 'surprise', uuid: 'u', session_id: 's', n: 1 }],
      result({ total_cost_usd: 0.5 }),
    );
    expect(scenario).toEqual([
      {
        on: 'user',
        match: 'list files',
        steps: [
          { do: 'say', content: { type: 'thinking', thinking: 'hm' } },
          { do: 'say', content: 'Sure.' },
          {
            ...{ do: 'useTool', name: 'Bash', input: { command: 'ls' }, toolUseId: 't1', ask: true },
            ...{ expect: { behavior: 'allow' }, result: 'a', isError: true },
          },
          { do: 'raw', line: 'Debugger attached.', text: 'Debugger attached.\n' },
          { do: 'send', message: { type: 'system', subtype: 'surprise', n: 1 } },
          { do: 'done', text: 'ok', overrides: { total_cost_usd: 0.5 } },
        ],
      },
    ]);
  });

  test('answers, refuses or ignores the host’s requests as recorded', async () => {
    const { scenario } = await scenarioOf(
      ['host', ask('1', { subtype: 'initialize' })],
      ['cli', answer('1', { subtype: 'success', response: {} })],
      ['host', ask('2', { subtype: 'set_model', model: 'opus' })],
      ['cli', answer('2', { subtype: 'success' })],
      [
        'host',
        ask('3', { subtype: 'rewind_files', user_message_id: '11111111-2222-4333-8444-555555555555' }),
      ],
      ['cli', answer('3', { subtype: 'error', error: 'no', error_code: 'x' })],
      ['host', ask('4', { subtype: 'mcp_tools' })],
    );
    expect(scenario).toEqual([
      { on: 'request', subtype: 'set_model', match: { model: 'opus' }, steps: [{ do: 'answer' }] },
      { on: 'request', subtype: 'rewind_files', steps: [{ do: 'refuse', error: 'no', errorCode: 'x' }] },
      { on: 'request', subtype: 'mcp_tools', steps: [{ do: 'hang' }] },
    ]);
  });

  test('includes questions, in-process tool calls, hooks and other CLI requests', async () => {
    const questions = [{ question: 'Which?', header: 'h', options: [], multiSelect: false }];
    const { scenario } = await scenarioOf(
      user('go'),
      assistant({ type: 'tool_use', id: 't1', name: 'AskUserQuestion', input: { questions } }),
      assistant({ type: 'tool_use', id: 't2', name: 'mcp__clock__time', input: { city: 'Oslo' } }),
      ['cli', ask('c1', { subtype: 'mcp_message', server_name: 'clock', message: { method: 'tools/list' } })],
      [
        'cli',
        ask('c2', {
          subtype: 'mcp_message',
          server_name: 'clock',
          message: { method: 'tools/call', params: { name: 'time' } },
        }),
      ],
      [
        'cli',
        ask('c3', {
          subtype: 'hook_callback',
          input: { hook_event_name: 'PreCompact', cwd: '/x', trigger: 'auto' },
        }),
      ],
      ['cli', ask('c4', { subtype: 'hook_callback', input: { hook_event_name: 'Stop' } })],
      ['cli', ask('c5', { subtype: 'from_the_future', n: 1 })],
      result({ subtype: 'error_max_turns', result: undefined, is_error: true }),
    );
    expect(scenario[0]?.steps).toEqual([
      { do: 'askQuestion', questions },
      { do: 'mcpTool', server: 'clock', tool: 'time', input: { city: 'Oslo' } },
      { do: 'hook', event: 'PreCompact', input: { trigger: 'auto' } },
      { do: 'askHost', body: { subtype: 'from_the_future', n: 1 } },
      { do: 'fail', subtype: 'error_max_turns', overrides: { is_error: true } },
    ]);
  });

  test('keeps denials: those of the host, with an interrupt, and those without a prompt', async () => {
    const use = (id: string, command: string) =>
      assistant({ type: 'tool_use', id, name: 'Bash', input: { command } });
    const prompt = (id: string, toolUseId: string) =>
      [
        'cli',
        ask(id, { subtype: 'can_use_tool', tool_name: 'Bash', tool_use_id: toolUseId, input: {} }),
      ] as const;
    const deny = (id: string, more: object = {}) =>
      [
        'host',
        answer(id, { subtype: 'success', response: { behavior: 'deny', message: 'No.', ...more } }),
      ] as const;
    const denial = (id: string) => ({ tool_name: 'Bash', tool_use_id: id, tool_input: {} });
    const { scenario } = await scenarioOf(
      user('go'),
      ...[use('t1', 'ls'), prompt('c1', 't1'), deny('c1'), use('t2', 'rm'), prompt('c2', 't2')],
      deny('c2', { interrupt: true }),
      result({ permission_denials: [denial('t1'), denial('t2')] }),
      user('again'),
      use('t3', 'curl'),
      result({ permission_denials: [denial('t3')] }),
    );
    expect(scenario).toMatchObject([
      {
        steps: [
          { do: 'useTool', ask: true, expect: { behavior: 'deny' } },
          { do: 'useTool', ask: true, expect: { behavior: 'deny', interrupt: true } },
          { do: 'done', text: 'ok' },
        ],
      },
      { steps: [{ do: 'useTool' }, { do: 'done', overrides: { permission_denials: [denial('t3')] } }] },
    ]);
    expect(scenario[0]?.steps).not.toContainEqual(expect.objectContaining({ overrides: expect.anything() }));
  });

  test('dies where the CLI died, and has a turn that the CLI started', async () => {
    const { scenario, notes } = await scenarioOf(
      ['cli', { type: 'system', subtype: 'oddity' }],
      ['cli', { type: 'system', subtype: 'init' }],
      assistant({ type: 'text', text: 'By the way.' }),
      result(),
      user('go'),
      { reason: 'exited', code: 3, signal: null, stderrTail: 'oh' },
    );
    expect(scenario).toMatchObject([
      { on: 'unasked', steps: [{ do: 'say' }, { do: 'done' }] },
      { on: 'user', steps: [{ do: 'die', code: 3, stderr: 'oh' }] },
    ]);
    expect(notes).toEqual(['line 2: system/oddity came between turns and was left out.']);
  });
});
