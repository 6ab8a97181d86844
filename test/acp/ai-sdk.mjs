// A program of the AI SDK with the provider for the official SDK: streamed text, and a call with the provider's own tool.
import { generateText, streamText } from 'ai';
import { claudeCode, createCustomMcpServer } from 'ai-sdk-provider-claude-code';
import { z } from 'zod';

const [cli, cwd] = process.argv.slice(2);
const seen = [];
const clock = createCustomMcpServer({
  name: 'clock',
  tools: {
    time: {
      description: 'Tells the time',
      inputSchema: z.object({ city: z.string() }),
      handler: async ({ city }) => {
        seen.push(`time ${city}`);
        return { content: [{ type: 'text', text: `Noon in ${city}.` }] };
      },
    },
  },
});
const settings = {
  pathToClaudeCodeExecutable: cli,
  cwd,
  env: { ...process.env },
  settingSources: [],
  mcpServers: { clock },
  allowedTools: ['mcp__clock__time'],
};

const streamed = streamText({ model: claudeCode('sonnet', settings), prompt: 'say hello' });
let text = '';
for await (const part of streamed.textStream) text += part;
seen.push(`streamed ${text}`, await streamed.finishReason);
const answer = await generateText({ model: claudeCode('sonnet', settings), prompt: 'what time is it' });
seen.push(`generated ${answer.text}`, answer.finishReason, typeof answer.usage.outputTokens);
process.stdout.write(JSON.stringify(seen));
