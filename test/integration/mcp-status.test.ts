import { expect, test } from 'vitest';
import { openSession } from '../../src/entry/sdk/open-session.js';
import { mcpServer } from '../../src/host/mcp/mcp-server.js';
import { tool } from '../../src/host/mcp/tool.js';
import { emulateCli } from '../../src/lab/testing/emulator/emulate-cli.js';
import { testedVersions } from '../support/tested-versions.js';

test.each(testedVersions)('right after opening, in-process servers are listed, on %s', async (version) => {
  const now = tool({ name: 'now', description: 'The time', input: { type: 'object' }, run: () => 'noon' });
  await using session = await openSession({
    transport: emulateCli([], { version }).transport,
    mcpServers: { clock: await mcpServer('clock', [now]) },
  });
  const { mcpServers } = await session.mcp.status();
  expect(mcpServers.map(({ name }) => name)).toEqual(['clock']);
});
