import { expect } from 'vitest';
import { mcpServer } from '../../src/host/mcp/mcp-server.js';
import { tool } from '../../src/host/mcp/tool.js';
import { eachRealCli } from './support/each-real-cli.js';
import { realPlace } from './support/real-session.js';

eachRealCli('in-process servers are listed right after opening', async (cli) => {
  await using place = await realPlace(cli);
  const now = tool({ name: 'now', description: 'Tells the time', run: () => 'noon' });
  await using session = await place.open({ mcpServers: { clock: mcpServer('clock', [now]) } });
  const status = await session.mcp.status();
  expect(status.mcpServers.map(({ name }) => name)).toContain('clock');
});
