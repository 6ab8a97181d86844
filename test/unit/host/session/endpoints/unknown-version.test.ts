import { expect, test } from 'vitest';
import { sessionOn } from './patched-peer.js';

test('a CLI of unknown version is asked what is safe, and everything once it reports its version', async () => {
  let status = 'connected';
  const { session, asked, cli } = await sessionOn(
    {},
    {
      mcp_status: () => ({ mcpServers: [{ name: 'files', status }] }),
      mcp_toggle: ({ enabled }) => {
        status = enabled === true ? 'connected' : 'disabled';
        return {};
      },
    },
  );
  await expect(session.mcp.disable('files')).rejects.toMatchObject({
    code: 'ENDPOINT_UNSUPPORTED',
    message: expect.stringContaining('set `version` on the transport'),
  });
  expect(await session.mcp.enable('files')).toMatchObject({ success: true, status: 'connected' });
  const init = new Promise((resolve) => session.on('message', resolve));
  await cli.send({ type: 'system', subtype: 'init', claude_code_version: '2.1.326' });
  await init;
  expect(session.version).toBe('2.1.326');
  expect(await session.supports('mcp_disable', { server: 'files' })).toMatchObject({ by: 'mcp_toggle' });
  expect(await session.mcp.disable('files')).toMatchObject({ success: true, status: 'disabled' });
  const toggles = asked.filter(({ subtype }) => subtype === 'mcp_toggle').map(({ enabled }) => enabled);
  expect(toggles).toEqual([true, false]);
  await session.close();
});
