import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { openSession } from '../../src/entry/sdk/open-session.js';
import type { Session } from '../../src/host/session/session.js';
import { spawnLines } from '../../src/wire/transport/process/spawn-lines.js';
import { streamTransport } from '../../src/wire/transport/streams.js';

const mock = 'test/fixtures/cli/answers-everything.sh';

/** What the CLI has read. */
class Heard {
  stderr = '';
  readonly onStderr = (text: string) => {
    this.stderr += text;
  };
}

const open = {
  'a shell script as CLI': ({ onStderr }: Heard) => openSession({ cli: mock, onStderr }),
  'a transport of the user': async ({ onStderr }: Heard) =>
    openSession({ transport: await spawnLines({ file: mock, onStderr }) }),
};

test.each(Object.entries(open))('%s gets requests that not every CLI knows', async (_name, start) => {
  const heard = new Heard();
  await using session = await start(heard);
  expect(session.version).toBeUndefined();
  expect(await session.supports('rewind_files')).toMatchObject({
    how: 'native',
    note: expect.stringContaining('unknown'),
  });
  await session.rewind('user-msg-uuid-123');
  await session.setMaxThinkingTokens(1_000);
  await session.mcp.add({ files: { command: 'node' } });
  await session.control('rewind_files', { user_message_id: 'raw' });
  await session.control<string>('frob');
  await expect
    .poll(() => subtypes(heard))
    .toEqual([
      'initialize',
      'rewind_files',
      'set_max_thinking_tokens',
      'mcp_set_servers',
      'rewind_files',
      'frob',
    ]);
});

test('a request that it does not answer ends at its deadline', async () => {
  const transport = await spawnLines({
    file: 'sh',
    args: ['-c', `head -n 1 | ${mock}; exec cat >/dev/null`],
  });
  await using session = await openSession({ transport });
  await expect(
    session.control('rewind_files', { user_message_id: 'u' }, { deadlineMs: 200 }),
  ).rejects.toMatchObject({
    code: 'REQUEST_TIMEOUT',
  });
});

test.each([
  ['a process', () => spawnLines({ file: mock, version: '2.1.17' })],
  ['streams', () => streamTransport(new PassThrough(), new PassThrough(), { version: '2.1.17' })],
])('%s can say the version of its CLI', async (_name, make) => {
  const transport = await make();
  expect(await transport.version).toBe('2.1.17');
  await transport.close();
});

test('a version that the transport says is the version of the session', async () => {
  await using session: Session = await openSession({
    transport: await spawnLines({ file: mock, version: '2.1.17' }),
  });
  expect(session.version).toBe('2.1.17');
  await expect(session.control('get_context_usage')).rejects.toMatchObject({ code: 'ENDPOINT_UNSUPPORTED' });
});

function subtypes({ stderr }: Heard): readonly string[] {
  return stderr
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line).request.subtype);
}
