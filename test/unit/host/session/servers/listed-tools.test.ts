import { expect, test } from 'vitest';
import { ListedTools } from '../../../../../src/host/session/servers/session-servers.js';

const message = (method: string, params?: object) => ({
  server_name: 'clock',
  message: { method, ...(params && { params }) },
});
const listOf = (...names: string[]) => ({ result: { tools: names.map((name) => ({ name })) } });

function namesAfter(note: (listed: ListedTools) => void): string[] | undefined {
  const listed = new ListedTools();
  note(listed);
  return listed.of('clock')?.map(({ name }) => name);
}

test('a server that was not asked for its tools has no list', () => {
  expect(namesAfter((listed) => listed.note(message('initialize'), { result: {} }))).toBeUndefined();
});

test('a second handshake after the list keeps the list', () => {
  const names = namesAfter((listed) => {
    listed.note(message('initialize'), { result: {} });
    listed.note(message('tools/list'), listOf('noon'));
    listed.note(message('initialize'), { result: {} });
  });
  expect(names).toEqual(['noon']);
});

test('another list replaces the first one, and another page extends it', () => {
  const names = namesAfter((listed) => {
    listed.note(message('tools/list'), listOf('noon'));
    listed.note(message('tools/list'), listOf('noon', 'night'));
    listed.note(message('tools/list', { cursor: 'next' }), listOf('dawn'));
  });
  expect(names).toEqual(['noon', 'night', 'dawn']);
});

test('an answer without a result changes nothing', () => {
  const names = namesAfter((listed) => {
    listed.note(message('tools/list'), listOf('noon'));
    listed.note(message('tools/list'), { error: { code: -32_603 } });
  });
  expect(names).toEqual(['noon']);
});
