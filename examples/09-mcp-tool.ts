// A tool in fifteen lines: it runs in this process, and its arguments are checked and typed by the schema.
import assert from 'node:assert/strict';
import { mcpServer, openSession, type SessionOptions, tool } from 'coxswain';
import { emulateCli, mcpTool, onUser, say } from 'coxswain/testing';
import * as z from 'zod';

const result = { content: [{ type: 'text', text: 'It is 18:30 in Rome.' }] };
const cli = emulateCli([
  onUser([mcpTool('clock', 'now', { city: 'Rome' }, { expect: result }), say('Half past six.')]),
]);

// #region tool
const now = tool({
  name: 'now',
  description: 'Returns the local time in a city',
  input: z.object({ city: z.string().describe('the name of the city') }),
  annotations: { readOnlyHint: true },
  run: async ({ city }, { signal }) => {
    const time = await localTime(city, signal);
    return `It is ${time} in ${city}.`;
  },
});

const options: SessionOptions = {
  mcpServers: { clock: mcpServer('clock', [now]) },
  allowedTools: ['mcp__clock__now'],
};
// #endregion

await using session = await openSession({ ...options, transport: () => cli.transport });
const said = await session.send('What time is it in Rome?').text();
assert.equal(said, 'Half past six.');
cli.assertFinished();
console.log(said);

async function localTime(_city: string, signal: AbortSignal): Promise<string> {
  signal.throwIfAborted();
  return '18:30';
}
