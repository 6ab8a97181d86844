import { describe, expect, test } from 'vitest';
import type { Finding } from '../../../../src/wire/trace/analysis/mistakes.js';
import { validateTrace } from '../../../../src/wire/trace/analysis/validate-trace.js';

const HEADER =
  '{"v":1,"kind":"header","startedAt":"x","argv":[],"platform":"linux","arch":"x64","writer":"x","redacted":false}';

async function findings(source: string | { text: string }): Promise<readonly Finding[]> {
  const found: Finding[] = [];
  for await (const finding of validateTrace(source)) found.push(finding);
  return found;
}

function trace(...lines: readonly (readonly [from: 'host' | 'cli', frame: object])[]): { text: string } {
  const entries = lines.map(([from, frame], t) => JSON.stringify({ v: 1, kind: 'line', t, from, frame }));
  return { text: [HEADER, ...entries].join('\n') };
}

const line = (from: string, frame: object) => JSON.stringify({ v: 1, kind: 'line', t: 0, from, frame });
const ask = (id: string, request: object) => ({ type: 'control_request', request_id: id, request });
const answer = (id: string, response: object = {}) => ({
  type: 'control_response',
  response: { subtype: 'success', request_id: id, ...response },
});

describe('validating a recording', () => {
  test.each(['2.0.73', '2.1.326'])('finds no error in the session on %s', async (version) => {
    const found = await findings(`test/recordings/${version}/note.trace`);
    expect(found.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  test.each([
    ['unanswered', trace(['host', ask('1', { subtype: 'interrupt' })]), 2],
    ['answer-to-nobody', trace(['cli', answer('9')]), 2],
    ['bare-envelope', trace(['host', { subtype: 'interrupt' }]), 2],
    ['bare-envelope', trace(['host', { type: 'interrupt' }]), 2],
    [
      'missing',
      trace(
        ['host', ask('1', { subtype: 'set_model' })],
        ['cli', answer('1')],
        ['host', ask('2', { subtype: 'stop_task' })],
        ['cli', answer('2')],
      ),
      4,
    ],
    [
      'unknown-key',
      trace(
        ['host', ask('1', { subtype: 'set_permission_mode', permission_mode: 'plan' })],
        ['cli', answer('1')],
      ),
      2,
    ],
    [
      'answered-twice',
      trace(['host', ask('1', { subtype: 'interrupt' })], ['cli', answer('1')], ['cli', answer('1')]),
      4,
    ],
    ['noise', { text: `${HEADER}\n{"v":1,"kind":"line","t":1,"from":"host","text":"oops"}` }, 2],
    ['broken-line', { text: `${HEADER}\n[]\n` }, 2],
    ['cut', { text: `${HEADER}\n{"v":1,"ki` }, 2],
    ['gap', { text: `${HEADER}\n{"v":1,"kind":"gap","t":1,"lines":3}` }, 2],
  ] as const)('finds %s', async (problem, source, at) => {
    expect(await findings(source)).toContainEqual(expect.objectContaining({ problem, at }));
  });

  test.each([
    [
      'a part that continues where another one ended',
      [HEADER.replace('}', ',"part":2}'), line('cli', answer('1')), line('cli', answer('2'))],
    ],
    [
      'a gap',
      [
        HEADER,
        line('host', ask('1', { subtype: 'interrupt' })),
        '{"v":1,"kind":"gap","t":1,"lines":2}',
        line('cli', answer('2')),
      ],
    ],
    [
      'a file that reached its limit',
      [HEADER, line('host', ask('1', { subtype: 'interrupt' })), '{"v":1,"kind":"full","limit":9}'],
    ],
  ])('does not report anything missing in %s', async (_, lines) => {
    const found = await findings({ text: lines.join('\n') });
    expect(found.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  test('reports only lines that match a filter, with the help of all others', async () => {
    const source = trace(
      ['host', ask('1', { subtype: 'interrupt' })],
      ['host', ask('2', { subtype: 'set_model' })],
      ['cli', answer('9')],
      ['cli', answer('1')],
    );
    const found = [];
    for await (const { at, problem } of validateTrace(source, { from: 'host' })) found.push([at, problem]);
    expect(found).toEqual([[3, 'unanswered']]);
  });

  test('accepts a withdrawn request', async () => {
    const withdrawn = { type: 'control_cancel_request', request_id: '1' };
    const source = trace(
      ['cli', ask('1', { subtype: 'can_use_tool', tool_name: 'Bash', input: {} })],
      ['cli', withdrawn],
    );
    expect((await findings(source)).map(({ problem }) => problem)).not.toContain('unanswered');
  });
});
