// Runs one program on one SDK and prints what it saw: node wrapped.mjs <wrapper> <module of the SDK> <cli> <cwd>.
// The program prompts, is asked for permission, runs a hook and its own tool; a wrapper traces all of that.
import { z } from 'zod';
import { wrappers } from './wrappers.mjs';

const [name, module, cli, cwd] = process.argv.slice(2);
const sdk = await import(module);
const { wrapped, traces } = await wrappers.get(name)(sdk);
const seen = [];

const time = wrapped.tool('time', 'Tells the time', { city: z.string() }, async ({ city }) => {
  seen.push(`time in ${city}`);
  return { content: [{ type: 'text', text: `Noon in ${city}.` }] };
});
const query = wrapped.query({
  prompt: 'what time is it',
  options: {
    pathToClaudeCodeExecutable: cli,
    executable: 'node',
    cwd,
    env: process.env,
    settingSources: [],
    mcpServers: { clock: wrapped.createSdkMcpServer({ name: 'clock', version: '1.0.0', tools: [time] }) },
    allowedTools: ['mcp__clock__time'],
    canUseTool: async (tool, input) => {
      seen.push(`asked for ${tool}`);
      return { behavior: 'allow', updatedInput: input };
    },
    hooks: {
      PreToolUse: [
        {
          hooks: [
            async ({ tool_name }) => {
              seen.push(`before ${tool_name}`);
              return { continue: true };
            },
          ],
        },
      ],
    },
  },
});
for await (const message of query) {
  const { type, subtype, is_error: isError } = message;
  seen.push([type, subtype, isError].filter((part) => part !== undefined).join(' '));
}
process.stdout.write(`${JSON.stringify({ seen, traces: await traces() })}\n`, () => process.exit(0));
