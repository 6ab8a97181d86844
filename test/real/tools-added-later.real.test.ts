import { McpServer } from '@modelcontextprotocol/server';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { describeInstalledClis } from './support/each-real-cli.js';
import { realPlace } from './support/real-session.js';
import { resultOfTool } from './support/tool-turn.js';

const NO_TOOL = /No such tool available/;

describeInstalledClis('a tool that an in-process server gets later, on CLI $version', (cli) => {
  test('is listed exactly if the model can call it', async () => {
    await using place = await realPlace(cli);
    const server = new McpServer({ name: 'clock', version: '1.0.0' });
    const add = (name: string) =>
      server.registerTool(name, { description: `Tells ${name}`, inputSchema: z.object({}) }, () => ({
        content: [{ type: 'text', text: `it is ${name}` }],
      }));
    add('noon');
    await using session = await place.open({ mcpServers: { clock: server }, allowedTools: ['mcp__clock'] });
    expect(await resultOfTool(place, session, 'mcp__clock__noon')).toBe('it is noon');
    // The server notifies the CLI, which may or may not ask for the list again.
    add('night');
    let answer = await resultOfTool(place, session, 'mcp__clock__night');
    let { tools, namesOnly } = await session.mcp.tools('clock');
    const isListed = () => tools.some(({ name }) => name === 'night');
    const isCallable = () => answer === 'it is night';
    // A list applies from the next turn on, and old CLIs, which greet a server twice, may ask for a second list late.
    for (let turn = 0; turn === 0 || (turn < 4 && isListed() !== isCallable()); turn += 1) {
      answer = await resultOfTool(place, session, 'mcp__clock__night');
      ({ tools, namesOnly } = await session.mcp.tools('clock'));
    }
    expect(answer).toMatch(isListed() ? /^it is night$/ : NO_TOOL);
    expect(tools).toContainEqual(
      expect.objectContaining({ name: 'noon', description: 'Tells noon', inputSchema: expect.anything() }),
    );
    expect(namesOnly).toEqual([]);
  });
});
