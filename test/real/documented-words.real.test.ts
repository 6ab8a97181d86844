import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { text, toolUse } from '../../src/lab/testing/model/replies.js';
import { describeInstalledClis } from './support/each-real-cli.js';
import { realPlace } from './support/real-session.js';

describeInstalledClis('what descriptions of the protocol say, on CLI $version', (cli) => {
  test('CLAUDE_CODE_STREAM_CLOSE_TIMEOUT is the deadline of the handshake, shorter and longer', async () => {
    await using place = await realPlace(cli);
    const env = (ms: string) => ({ env: { CLAUDE_CODE_STREAM_CLOSE_TIMEOUT: ms } });
    await expect(place.open(env('1'))).rejects.toMatchObject({ code: 'HANDSHAKE_TIMEOUT' });
    await using session = await place.open(env('90000'));
    place.model.play([{ reply: text('Aye.') }]);
    expect(await session.send('hello').text()).toBe('Aye.');
  });

  test('a turn that reached its turn limit says whose limit it was', async () => {
    await using place = await realPlace(cli);
    await using session = await place.open({ maxTurns: 1, allowedTools: ['Glob'] });
    place.model.play([{ reply: toolUse('Glob', { pattern: '*' }), times: 'any' }]);
    expect(await session.send('look around').outcome).toMatchObject({ kind: 'max-turns', by: 'cli' });
  });

  test('session_id and parent_tool_use_id of user messages have no effect', async () => {
    await using place = await realPlace(cli);
    await using session = await place.open();
    place.model.play([{ reply: text('Aye.'), times: 'any' }]);
    const fields = { session_id: randomUUID(), parent_tool_use_id: null };
    const message = { role: 'user' as const, content: 'hello' };
    const sent = session.send({ type: 'user', message, ...fields });
    expect(await sent.text()).toBe('Aye.');
    expect((await sent.outcome).result?.session_id).toBe(session.id);
    expect(await session.send('again').text()).toBe('Aye.');
    const asked = JSON.stringify(place.model.lastRequest()?.messages);
    expect(asked).toContain('hello');
    expect(asked).toContain('again');
  });

  test('the input format is part of every command line, and cannot be given twice', async () => {
    await using place = await realPlace(cli);
    await expect(place.open({ extraArgs: { 'input-format': 'text' } })).rejects.toMatchObject({
      code: 'OPTION_INVALID',
    });
  });
});
