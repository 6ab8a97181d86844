import { describe, expect, test } from 'vitest';
import { mcpServer } from '../../../../src/host/mcp/mcp-server.js';
import { type Tool, tool } from '../../../../src/host/mcp/tool.js';
import { OptionError } from '../../../../src/wire/util/option-checks.js';

const now = tool({ name: 'now', description: 'Tells the time', run: () => 'noon' });

describe('a server of tools', () => {
  test('has a name and its tools, which later changes to the list do not affect', () => {
    const tools = [now];
    const server = mcpServer('clock', tools);
    tools.push(now);
    expect(server).toMatchObject({ name: 'clock', tools: [{ name: 'now' }] });
    expect(server.tools).toHaveLength(1);
  });

  test.each([
    [
      'an invalid name',
      () => mcpServer('my clock', [now]),
      /name of an MCP server must be a text of up to 64/,
    ],
    ['two tools of one name', () => mcpServer('clock', [now, now]), /"clock" has two tools named "now"/],
    ['no list', () => mcpServer('clock', now as unknown as Tool[]), /"clock" needs a list of tools/],
    ['something else in the list', () => mcpServer('clock', [{}] as Tool[]), /made with tool\(\)/],
    [
      'an unknown option',
      () => mcpServer('clock', [now], { timeout: 1 } as never),
      /Did you mean "timeoutMs"/,
    ],
  ])('with %s is refused', (_what, make, problem) => {
    expect(make).toThrow(OptionError);
    expect(make).toThrow(problem);
  });
});
