import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { apiFailure } from '../../src/lab/testing/emulator/steps/result-steps.js';
import { BareClient, startEmulatedConsole } from '../support/console.js';

/** Each message meets a limit that lasts longer than the test. */
const limited = () => {
  const text = `limit reached|${Math.ceil(Date.now() / 1000) + 3600}`;
  return [
    onUser(undefined, [apiFailure({ error: 'rate_limit', status: 429, text })], { times: 'any' as const }),
  ];
};

/** A console that was stopped while a message waited for a limit. */
async function stoppedWithMessage() {
  const { server, root, stateFolder } = await startEmulatedConsole(limited);
  const cwd = join(root, 'project');
  await mkdir(cwd);
  const client = await BareClient.connect(server);
  const { session } = await client.ask('open', { cwd, title: 'Holiday plans' });
  const { uuid } = await client.ask('send', { content: 'hello' }, { session });
  await client.summary(({ state }) => state === 'limited');
  await server.close();
  const next = async () => {
    const again = await startEmulatedConsole(limited, { stateFolder, roots: [root], configDir: root });
    return { server: again.server, client: await BareClient.connect(again.server) };
  };
  const record = join(stateFolder, 'sessions', session, 'session.json');
  return { cwd, session, uuid, record, store: join(stateFolder, 'running'), next };
}

describe('a message that waits is kept by a server that cannot continue with it', () => {
  test.each(['folder', 'record'] as const)(
    'because its %s is missing, and the next one continues',
    async (what) => {
      const { cwd, session, uuid, record, next } = await stoppedWithMessage();
      const content = await readFile(record, 'utf8');
      if (what === 'folder') await rename(cwd, `${cwd}-away`);
      else await writeFile(record, '{}');
      const { server } = await next();
      expect(server.problems).toEqual([
        expect.stringContaining(what === 'folder' ? 'Holiday plans' : record),
      ]);
      await server.close();
      if (what === 'folder') await rename(`${cwd}-away`, cwd);
      else await writeFile(record, content);
      const { client } = await next();
      const { sessions } = await client.ever(({ type }) => type === 'sessions');
      expect(sessions).toMatchObject([{ id: session, state: 'limited', queued: [uuid] }]);
    },
  );

  test('because its folder is missing, and goes on once the session is reopened', async () => {
    const { cwd, session, uuid, next } = await stoppedWithMessage();
    await rename(cwd, `${cwd}-away`);
    const { client } = await next();
    expect(await client.command('reopen', {}, { session })).toMatchObject({ ok: false });
    await rename(`${cwd}-away`, cwd);
    await client.ask('reopen', {}, { session });
    expect(await client.ask('unsend', { uuid }, { session })).toEqual({ cancelled: true });
  });

  test('because its folder is missing, unless the session is removed', async () => {
    const { cwd, session, store, next } = await stoppedWithMessage();
    await rename(cwd, `${cwd}-away`);
    const { server, client } = await next();
    await client.ask('remove', {}, { session });
    await server.close();
    // Nothing waits, so no store is left.
    expect(await readdir(store)).toEqual([]);
  });
});
